# damspec in a container: docker build -t damspec .
# An engine in the current folder is checked with
#   docker run --rm -v "$PWD:/engine" damspec check russian -- ./my-engine
FROM python:3.12-slim AS build
COPY . /damspec
RUN python -m pip wheel --no-cache-dir --no-deps --wheel-dir /wheels /damspec

FROM python:3.12-slim
COPY --from=build /wheels /wheels
RUN python -m pip install --no-cache-dir /wheels/damspec-*.whl
WORKDIR /engine
ENTRYPOINT ["damspec"]
CMD ["--help"]
