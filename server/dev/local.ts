/** Decides whether a request comes from the machine that the site is developed on. */
import type { Request } from '../http/message.ts'

// Against DNS rebinding: a foreign name may resolve to this machine, so only its own names are accepted.
const OWN_NAME = /^(?:localhost|[\w-]+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i
const OWN_ADDRESS = /^(?:127(?:\.\d{1,3}){3}|::1|::ffff:127(?:\.\d{1,3}){3})$/i

/** Checks the client's address and the `Host` header. */
export function isLocal(request: Request): boolean {
  return OWN_ADDRESS.test(request.ip) && OWN_NAME.test(request.host)
}
