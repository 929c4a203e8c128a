"""Found positions written down: as cases, lines, JSON, PDN, pictures, or a page."""
