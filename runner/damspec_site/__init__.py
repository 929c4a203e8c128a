"""The rulebook as a web site: static pages for people, made from the same data as everything else.

`build.build(Path("public"))` writes it. A build takes the place of an earlier one as a whole, and of nothing else.
"""
