# Two stages on Debian 13: one with a compiler, one with the program and the libraries that it needs.

FROM debian:13-slim AS build
RUN apt-get update && apt-get install -y --no-install-recommends make
WORKDIR /src
COPY scripts/ scripts/
RUN scripts/packages.sh install build
COPY . .
RUN make install PREFIX=/usr DESTDIR=/out && strip /out/usr/bin/plyd

FROM debian:13-slim
RUN apt-get update \
    && apt-get install -y --no-install-recommends ca-certificates libcjson1 libcurl4t64 libgnutls30t64 libhogweed6t64 \
        libnettle8t64 libpq5 libsodium23 zlib1g \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --system --no-create-home plyd
COPY --from=build /out/usr/bin/plyd /usr/bin/plyd
USER plyd
ENV PLYD_LISTEN=0.0.0.0:8080
EXPOSE 8080
# Checks that the process answers. It does not check the database (/readyz): a restart would not help.
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s CMD ["bash", "-c", \
    "exec 3<>/dev/tcp/127.0.0.1/8080 && printf 'GET /healthz HTTP/1.0\\r\\n\\r\\n' >&3 && grep -q '^HTTP/1.[01] 200' <&3"]
ENTRYPOINT ["plyd"]
CMD ["serve"]
