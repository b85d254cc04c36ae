import type { FastifyRequest } from 'fastify'

/** What of a request is looked at whatever its body, query and parameters are. */
export type Asker = Pick<FastifyRequest, 'headers' | 'ip' | 'id' | 'log'>
