import type { FastifyRequest } from 'fastify'

/** The parts of a request that do not depend on the types of its body, query and parameters. */
export type RequestHeaders = Pick<FastifyRequest, 'headers' | 'ip' | 'id' | 'log'>
