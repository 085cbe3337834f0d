/** Loads OpenTelemetry's SDK for Node, which is needed only when a receiver is configured. */
import { createRequire } from 'node:module'
import type { api as Api, resources as Resources } from '@opentelemetry/sdk-node'
import { MissingPackage, loadPackage } from '../../../runtime/page/optional-package.ts'
import { StartError } from '../../core/start-error.ts'

export type Sdk = typeof import('@opentelemetry/sdk-node')

export interface TelemetryOptions {
  /** Name of the site, unless `OTEL_SERVICE_NAME` overrides it. */
  readonly service: string
  /** Version of this software. */
  readonly version: string
  /** Identifies the build; null when it changes. */
  readonly release: string | null
  readonly environment: string
  readonly log: { warn(fields: object, message: string): void }
}

/** Loads the SDK. @throws StartError when it is not installed */
export async function loadSdk(): Promise<Sdk> {
  try {
    return await loadPackage(
      '@opentelemetry/sdk-node',
      'OTEL_EXPORTER_OTLP_ENDPOINT',
      () => import('@opentelemetry/sdk-node'),
    )
  } catch (error) {
    if (error instanceof MissingPackage) throw new StartError(error.message)
    throw error
  }
}

/** Endings of the packages that come with the SDK, by protocol. */
const PROTOCOLS: Readonly<Record<string, string>> = { grpc: 'grpc', 'http/json': 'http', 'http/protobuf': 'proto' }
const PROTOCOL = 'http/protobuf'

const EXPORTERS = { trace: 'OTLPTraceExporter', metrics: 'OTLPMetricExporter' } as const

/** Creates the exporter for the configured protocol. It reads its own variables: receiver, headers, timeout. */
export function createExporter<Exporter>(
  what: keyof typeof EXPORTERS,
  variables: Readonly<Record<string, string | undefined>>,
  log: TelemetryOptions['log'],
): Exporter {
  const own = variables[`OTEL_EXPORTER_OTLP_${what === 'trace' ? 'TRACES' : 'METRICS'}_PROTOCOL`]
  const requested = (own ?? variables['OTEL_EXPORTER_OTLP_PROTOCOL'])?.trim() || PROTOCOL
  const known = Object.hasOwn(PROTOCOLS, requested) ? requested : PROTOCOL
  if (known !== requested)
    log.warn(
      { protocol: requested },
      `the protocol '${requested}' is not supported: ${what === 'trace' ? 'traces' : 'metrics'} are sent by ${PROTOCOL}`,
    )
  // Resolved from the SDK's folder, because the exporters are its dependencies.
  const requireFromSdk = createRequire(createRequire(import.meta.url).resolve('@opentelemetry/sdk-node'))
  // The packages have types, but which one is loaded is known only at run time.
  const exporters = requireFromSdk(`@opentelemetry/exporter-${what}-otlp-${PROTOCOLS[known]}`) as Record<
    (typeof EXPORTERS)[keyof typeof EXPORTERS],
    new () => Exporter
  >
  return new exporters[EXPORTERS[what]]()
}

/** Milliseconds between two warnings about metrics that could not be sent. */
const WARNING_INTERVAL = 60_000

/** Logs metrics that could not be sent, which the SDK reports only to its own log. */
export function logExportFailures({ api }: Sdk, log: TelemetryOptions['log']): void {
  let warnedAt = Number.NEGATIVE_INFINITY
  const warn = (message: string): void => {
    const now = performance.now()
    if (now - warnedAt < WARNING_INTERVAL) return
    warnedAt = now
    log.warn({ reason: message.slice(0, 500) }, 'metrics could not be sent')
  }
  const silent = (): void => undefined
  const logger = { error: warn, warn: silent, info: silent, debug: silent, verbose: silent }
  // The SDK sets its own logger when OTEL_LOG_LEVEL asks for it.
  api.diag.setLogger(logger, { logLevel: api.DiagLogLevel.ERROR, suppressOverrideMessage: true })
}

/** Creates the resource that identifies the sender of spans and metrics. */
export function createResource(
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

/** Converts a time to the SDK's format. @param time milliseconds since 1970, with fractions */
export function toHrTime(time: number): Api.HrTime {
  return [Math.floor(time / 1000), Math.floor((time % 1000) * 1_000_000)]
}
