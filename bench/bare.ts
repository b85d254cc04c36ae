import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'

const [port, headers = '{}'] = process.argv.slice(2)
const body = await buffer(process.stdin)
const sent = { ...JSON.parse(headers), 'content-length': body.length }

createServer((request, response) => {
  request.resume()
  request.on('end', () => {
    response.writeHead(200, sent)
    response.end(body)
  })
}).listen(Number(port), '127.0.0.1')
