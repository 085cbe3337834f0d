/** Explains why listening failed, for the person who started the server. */
import { errorCodeOf } from './error-code.ts'
import type { Settings } from './settings.ts'
import { StartError } from './start-error.ts'

/**
 * Returns a StartError for a known system error. Other errors are returned unchanged.
 * @param variable the setting that names the port
 */
export function listenError(error: unknown, settings: Pick<Settings, 'host' | 'port'>, variable = 'PORT'): unknown {
  const code = errorCodeOf(error)
  const { host, port } = settings
  switch (code) {
    case 'EADDRINUSE':
      return new StartError(
        `Port ${port} is in use already: stop the program that listens there, or choose another port with ${variable}=${port + 1}.`,
      )
    case 'EACCES':
      return new StartError(`This user may not listen on port ${port}: choose a port above 1023 with ${variable}.`)
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'EINVAL':
      return new StartError(
        `'${host}' is not an address of this machine: set HOST to localhost, or to 0.0.0.0 for all networks.`,
      )
    default:
      return error
  }
}
