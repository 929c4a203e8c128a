# damspec in a container: docker build -t damspec .
# An engine in the current folder is checked with
#   docker run --rm -v "$PWD:/engine" damspec check russian -- ./my-engine
FROM python:3.12-slim AS build
COPY . /damspec
RUN python -m pip install --no-cache-dir --no-deps --require-hashes -r /damspec/.ci/locks/action.txt
RUN python -m pip wheel --no-cache-dir --no-deps --no-build-isolation --wheel-dir /wheels /damspec

FROM python:3.12-slim
COPY --from=build /wheels /damspec/.ci/locks/action.txt /wheels/
RUN python -m pip install --no-cache-dir --no-deps --require-hashes -r /wheels/action.txt \
    && python -m pip install --no-cache-dir --no-deps /wheels/damspec-*.whl
WORKDIR /engine
ENTRYPOINT ["damspec"]
CMD ["--help"]
