// The health check of the image: ends with 0 if the service answers on this machine, with or without TLS.
// The certificate is not checked: the request goes to loopback, has no credentials, and only tells whether the process responds.
// A service that requires client certificates refuses the connection in the handshake, which is a response, too.
import { get as getHttp } from 'node:http'
import { get as getHttps } from 'node:https'

const port = process.env.SANDPIPER_PORT ?? '9200'
const LIMIT_MS = 2500

const isLive = (get, protocol) =>
  new Promise((resolve) => {
    const request = get(
      `${protocol}://127.0.0.1:${port}/_sandpiper/live`,
      { rejectUnauthorized: false, timeout: LIMIT_MS },
      (answer) => {
        answer.resume()
        resolve(answer.statusCode === 200)
      },
    )
    request.on('timeout', () => request.destroy())
    request.on('error', ({ code }) => resolve(code === 'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED'))
  })

process.exit((await isLive(getHttp, 'http')) || (await isLive(getHttps, 'https')) ? 0 : 1)
