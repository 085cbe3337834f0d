/** The entry of the process that prints documents. A process of a server starts it (`client.ts`). */
import { serviceOptions, startService } from './service.ts'

process.umask(0o077)
// A terminal sends Ctrl-C to every process of the group. The service ends when its clients have ended.
process.on('SIGINT', () => undefined)

/** Starts the service, and tells the client that it listens. */
async function start(): Promise<void> {
  const options = serviceOptions.parse(JSON.parse(process.argv[2] ?? ''))
  const end = await startService(options, () => process.exit(0))
  process.on('SIGTERM', () => void end())
  process.send?.('ready', undefined, {}, () => {
    if (process.connected) process.disconnect()
  })
}

void start().catch(() => process.exit(1))
