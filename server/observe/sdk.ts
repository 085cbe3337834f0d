/** OpenTelemetry's SDK for Node, which is loaded only where its variables name a receiver. */
import type { resources as Resources } from '@opentelemetry/sdk-node'
import { MissingPackage, neededPackage } from '../../runtime/page/needed-package.ts'
import { StartError } from '../start-error.ts'

export type Sdk = typeof import('@opentelemetry/sdk-node')

export interface TelemetryOptions {
  /** Name of the site, unless `OTEL_SERVICE_NAME` gives another. */
  readonly service: string
  /** Version of this software. */
  readonly version: string
  /** Identifies the build, null where it changes. */
  readonly release: string | null
  readonly environment: string
  readonly log: { warn(fields: object, message: string): void }
}

/** @throws StartError where it is not installed */
export async function loadSdk(): Promise<Sdk> {
  try {
    return await neededPackage(
      '@opentelemetry/sdk-node',
      'OTEL_EXPORTER_OTLP_ENDPOINT',
      () => import('@opentelemetry/sdk-node'),
    )
  } catch (error) {
    if (error instanceof MissingPackage) throw new StartError(error.message)
    throw error
  }
}

/** Milliseconds between two lines about what could not be sent. */
const QUIET = 60_000

/** @param what cannot be sent: 'traces' */
export function sayFailures({ api }: Sdk, what: string, log: TelemetryOptions['log']): void {
  let said = Number.NEGATIVE_INFINITY
  const say = (message: string): void => {
    const now = performance.now()
    if (now - said < QUIET) return
    said = now
    log.warn({ reason: message.slice(0, 500) }, `${what} could not be sent`)
  }
  const silent = (): void => undefined
  const logger = { error: say, warn: silent, info: silent, debug: silent, verbose: silent }
  // The SDK sets its own where OTEL_LOG_LEVEL asks for it.
  api.diag.setLogger(logger, { logLevel: api.DiagLogLevel.ERROR, suppressOverrideMessage: true })
}

/** What whatever is sent comes from. */
export function resourceOf(
  { resources }: Sdk,
  { service, release, environment }: TelemetryOptions,
): Resources.Resource {
  return resources.defaultResource().merge(
    resources.resourceFromAttributes({
      'service.name': service,
      'deployment.environment.name': environment,
      ...(release !== null && { 'service.version': release }),
    }),
  )
}
