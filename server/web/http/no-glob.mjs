/** Stands in the bundles for the package `glob`, which `@fastify/static` loads and asks only where it has `wildcard: false`. */
export function glob() {
  throw new Error('`@fastify/static` lists a folder only with `wildcard: false`')
}
