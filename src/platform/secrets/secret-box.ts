import { createCipheriv, createDecipheriv, hash, randomBytes } from 'node:crypto'

/**
 * Encrypts secrets that the server shares with other systems before they are stored (AES-256-GCM, NIST SP 800-38D), with a key that is not in the database:
 * a copy of the database alone does not reveal them.
 */
export interface SecretBox {
  /**
   * Encrypts a secret with the current key.
   * @param place what the secret belongs to, such as `webhook <id>`. It opens nowhere else.
   */
  seal(secret: Uint8Array, place: string): Uint8Array
  /**
   * Decrypts a secret.
   * @throws SecretError if its key is missing, or it was changed or belongs to another place
   */
  open(sealed: Uint8Array, place: string): Uint8Array
  /** Whether a secret can be decrypted. */
  opens(sealed: Uint8Array, place: string): boolean
  /** Whether a secret was encrypted with the current key. */
  isCurrent(sealed: Uint8Array): boolean
}

/** A stored secret cannot be decrypted. */
export class SecretError extends Error {
  override readonly name = 'SecretError'
}

/** A sealed secret: the version, the id of the key, the nonce, the tag, and the encrypted bytes. */
const version = 1
const idLength = 4
const nonceLength = 12
const tagLength = 16
const nonceAt = 1 + idLength
const tagAt = nonceAt + nonceLength
const textAt = tagAt + tagLength

/** Whether bytes have the form of a sealed secret, which is longer than 32 bytes. */
export const isSealed = (bytes: Uint8Array): boolean => bytes.length >= textAt && bytes[0] === version

interface Key {
  readonly id: Buffer
  readonly bytes: Uint8Array
}

const keyOf = (bytes: Uint8Array): Key => ({
  id: hash('sha256', bytes, 'buffer').subarray(0, idLength),
  bytes,
})

/** @param readKeys returns the keys, the current one first. It is called again for a secret whose key is not known. */
export function secretBox(readKeys: () => readonly Uint8Array[]): SecretBox {
  let keys = readKeys().map(keyOf)

  const current = (): Key => {
    const [key] = keys
    if (!key) throw new SecretError('There is no key for secrets')
    return key
  }

  function keyFor(id: Uint8Array): Key | undefined {
    const find = () => keys.find((key) => key.id.equals(id))
    const known = find()
    if (known) return known
    // Another process may have changed the keys.
    keys = readKeys().map(keyOf)
    return find()
  }

  function open(sealed: Uint8Array, place: string): Uint8Array {
    const all = Buffer.from(sealed)
    if (!isSealed(all)) throw new SecretError(`The secret of ${place} is damaged`)
    const key = keyFor(all.subarray(1, nonceAt))
    if (!key)
      throw new SecretError(
        `The key of the secret of ${place} is missing. Put it back into SECRETS_KEY or DATA_DIR/secrets.key.`,
      )
    const decipher = createDecipheriv('aes-256-gcm', key.bytes, all.subarray(nonceAt, tagAt), {
      authTagLength: tagLength,
    })
    decipher.setAAD(Buffer.from(place)).setAuthTag(all.subarray(tagAt, textAt))
    try {
      return Buffer.concat([decipher.update(all.subarray(textAt)), decipher.final()])
    } catch (cause) {
      throw new SecretError(`The secret of ${place} is damaged`, { cause })
    }
  }

  return {
    seal(secret, place) {
      const { id, bytes } = current()
      const nonce = randomBytes(nonceLength)
      const cipher = createCipheriv('aes-256-gcm', bytes, nonce).setAAD(Buffer.from(place))
      const text = Buffer.concat([cipher.update(secret), cipher.final()])
      return Buffer.concat([Buffer.of(version), id, nonce, cipher.getAuthTag(), text])
    },
    open,
    opens(sealed, place) {
      try {
        open(sealed, place)
        return true
      } catch (error) {
        if (error instanceof SecretError) return false
        throw error
      }
    },
    isCurrent: (sealed) => current().id.equals(Buffer.from(sealed).subarray(1, nonceAt)),
  }
}
