/** Replaces the package `glob` in the bundles. `@fastify/static` imports it, but calls it only with `wildcard: false`. */
export function glob() {
  throw new Error('`@fastify/static` lists a folder only with `wildcard: false`')
}
