/**
 * An authority for tests, and the certificate that it issued for receiver.test and 127.0.0.1. Both are valid
 * until 2126. OpenSSL 3 made them as follows; the key of the authority was deleted:
 *
 *     openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 36500 -subj '/CN=Test authority' \
 *       -keyout ca.key -out ca.pem
 *     openssl req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj '/CN=receiver.test' \
 *       -keyout server.key -out server.csr
 *     openssl x509 -req -in server.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 36500 \
 *       -extfile <(echo 'subjectAltName=DNS:receiver.test,IP:127.0.0.1') -out server.pem
 */

export const testAuthority = `-----BEGIN CERTIFICATE-----
MIIBiTCCAS+gAwIBAgIUHCVU19Zq1+x13lTeChjxC4jKZCcwCgYIKoZIzj0EAwIw
GTEXMBUGA1UEAwwOVGVzdCBhdXRob3JpdHkwIBcNMjYxMTIzMjA0NTQ0WhgPMjEy
NjEwMzAyMDQ1NDRaMBkxFzAVBgNVBAMMDlRlc3QgYXV0aG9yaXR5MFkwEwYHKoZI
zj0CAQYIKoZIzj0DAQcDQgAEChQb+/ZI8AssLqjoJPHfrrFktn0XHS+8IS7G2eWA
etiAyn0dXyZSI/IKZkeWQ+CX6Yz6+5K+nr1kK5CFGIzwIqNTMFEwHQYDVR0OBBYE
FDbgiV1wZnKqkL2K2RBoXP14GGUYMB8GA1UdIwQYMBaAFDbgiV1wZnKqkL2K2RBo
XP14GGUYMA8GA1UdEwEB/wQFMAMBAf8wCgYIKoZIzj0EAwIDSAAwRQIgKmHRnH1U
Tfnbmr4AFgTkESmyYehFEXPJcuDkw5DhGZMCIQDnxHZts7EzvynQRJ5O+Ir4sASZ
d3U5/R4CDYbbl74bNQ==
-----END CERTIFICATE-----`

export const receiverCertificate = `-----BEGIN CERTIFICATE-----
MIIBlzCCAT2gAwIBAgIUQlUVQZz3+8IvJVvE30OlUH/ud4IwCgYIKoZIzj0EAwIw
GTEXMBUGA1UEAwwOVGVzdCBhdXRob3JpdHkwIBcNMjYxMTIzMjA0NTQ0WhgPMjEy
NjEwMzAyMDQ1NDRaMBgxFjAUBgNVBAMMDXJlY2VpdmVyLnRlc3QwWTATBgcqhkjO
PQIBBggqhkjOPQMBBwNCAAQ1dR8klySV7kXr1Gl2JVC7IZLJ4JgSDz8ZjMTrRlSc
P58Eve7CsCvQvk9W2PpDhxK1/OkHa6YkZ/ZXNx7MSQito2IwYDAeBgNVHREEFzAV
gg1yZWNlaXZlci50ZXN0hwR/AAABMB0GA1UdDgQWBBQguaLiEzbjK+FSwBOqTED0
RrNZ9jAfBgNVHSMEGDAWgBQ24IldcGZyqpC9itkQaFz9eBhlGDAKBggqhkjOPQQD
AgNIADBFAiAbD+rF0r+c55Sj3RaVQI9mNoPo7cB/mrjYdWpi9vDLJQIhAK8MBeag
yWKdHgIDWzWQ3FQwuW/1VdFolSTH5p8uLmLm
-----END CERTIFICATE-----`

export const receiverKey = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgNGOTtTA/Os1NT9fG
x6Lo7Jd0dqozpoBpY4vS/AA/3/2hRANCAAQ1dR8klySV7kXr1Gl2JVC7IZLJ4JgS
Dz8ZjMTrRlScP58Eve7CsCvQvk9W2PpDhxK1/OkHa6YkZ/ZXNx7MSQit
-----END PRIVATE KEY-----`
