// A server whose pages greet each visitor by a cookie, with node:http and template literals alone. It shows the speed of a server without
// further layers.
import { createServer } from 'node:http'

/** @type {Readonly<Record<string, string>>} */
const escaped = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const esc = (/** @type {string} */ text) => text.replace(/[&<>"']/g, (sign) => escaped[sign] ?? sign)

const long = (/** @type {string} */ name) => {
  let items = ''
  for (let n = 1; n <= 150; n++)
    items += `\n  <li><a href="/products/${n}" title="Number ${n}">${name} and the product number ${n}</a> <b>${n * 3}</b> <i>of many more</i></li>`
  return `<!doctype html>\n<title>${name}</title>\n<ul>${items}\n</ul>\n`
}
const short = (/** @type {string} */ name) => `<p>Hello ${name}</p>\n`

const server = createServer(({ url, headers }, response) => {
  const [, name = 'somebody'] = /(?:^|; )name=([^;]*)/.exec(headers.cookie ?? '') ?? []
  const body = (url === '/varying' ? long : short)(esc(name))
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-length': Buffer.byteLength(body) })
  response.end(body)
})
server.listen(Number(process.env['PORT']), '127.0.0.1')
process.on('SIGTERM', () => process.exit(0))
