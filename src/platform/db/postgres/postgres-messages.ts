/**
 * Messages of the protocol of PostgreSQL that run a statement which the server has prepared.
 * @see https://www.postgresql.org/docs/current/protocol-message-formats.html
 */

/** Execute without a limit of rows. */
const execute = Buffer.from([0x45, 0, 0, 0, 9, 0, 0, 0, 0, 0])

/** Sync: the server ends the statements before it, and says that it is ready. */
export const sync: Buffer = Buffer.from([0x53, 0, 0, 0, 4])

/**
 * Returns the messages Bind and Execute for a prepared statement, whose results are texts.
 * @param values those that `checkValues` accepts
 */
export function executionOf(name: string, values: readonly unknown[]): Buffer {
  const parameters = values.map(parameterOf)
  let valueBytes = 0
  for (const parameter of parameters) valueBytes += 4 + byteLength(parameter)
  const count = parameters.length
  // Length, name of the portal, name of the statement, formats, values, and the format of the results.
  const bindBytes = 4 + 1 + Buffer.byteLength(name) + 1 + 2 + 2 * count + 2 + valueBytes + 4
  const message = Buffer.allocUnsafe(1 + bindBytes + execute.length)
  let at = message.writeUInt8(0x42)
  at = message.writeInt32BE(bindBytes, at)
  at = message.writeUInt8(0, at)
  at += message.write(name, at)
  at = message.writeUInt8(0, at)
  at = message.writeInt16BE(count, at)
  for (const parameter of parameters) at = message.writeInt16BE(parameter instanceof Uint8Array ? 1 : 0, at)
  at = message.writeInt16BE(count, at)
  for (const parameter of parameters) {
    at = message.writeInt32BE(parameter === null ? -1 : byteLength(parameter), at)
    if (typeof parameter === 'string') {
      at += message.write(parameter, at)
    } else if (parameter) {
      message.set(parameter, at)
      at += parameter.length
    }
  }
  at = message.writeInt32BE(0x10000, at)
  message.set(execute, at)
  return message
}

function parameterOf(value: unknown): string | Uint8Array | null {
  return value === null || typeof value === 'string' || value instanceof Uint8Array ? value : String(value)
}

const byteLength = (parameter: string | Uint8Array | null): number =>
  parameter === null ? 0 : Buffer.byteLength(parameter)
