import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'

const [port, contentType = ''] = process.argv.slice(2)
const body = await buffer(process.stdin)

createServer((request, response) => {
  request.resume()
  request.on('end', () => {
    response.writeHead(200, { 'Content-Type': contentType, 'Content-Length': body.length })
    response.end(body)
  })
}).listen(Number(port), '127.0.0.1')
