# An image with nothing but the executables:
#   docker build -t longline . && docker run --rm longline check 'rm -rf /'
FROM golang:1.26 AS build
WORKDIR /src
COPY . .
RUN CGO_ENABLED=0 go build -trimpath -ldflags "-s -w -buildid=" -o /out/ ./cmd/...

FROM scratch
COPY --from=build /out/longline /out/longline-hook /out/longline-wall /
ENTRYPOINT ["/longline"]
