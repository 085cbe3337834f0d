/** OpenTelemetry's SDK for Node, which is loaded only where its variables name a receiver. */
import { createRequire } from 'node:module'
import type { api as Api, resources as Resources } from '@opentelemetry/sdk-node'
import { MissingPackage, loadPackage } from '../../../runtime/page/optional-package.ts'
import { StartError } from '../../core/start-error.ts'

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

/** Packages that come with the SDK, by the protocol that is asked for. */
const PROTOCOLS: Readonly<Record<string, string>> = { grpc: 'grpc', 'http/json': 'http', 'http/protobuf': 'proto' }
const PROTOCOL = 'http/protobuf'

const EXPORTERS = { trace: 'OTLPTraceExporter', metrics: 'OTLPMetricExporter' } as const

/** The exporter of the protocol that the variables name. It reads its own variables: receiver, headers, time limit. */
export function exporterOf<Exporter>(
  what: keyof typeof EXPORTERS,
  variables: Readonly<Record<string, string | undefined>>,
  log: TelemetryOptions['log'],
): Exporter {
  const own = variables[`OTEL_EXPORTER_OTLP_${what === 'trace' ? 'TRACES' : 'METRICS'}_PROTOCOL`]
  const asked = (own ?? variables['OTEL_EXPORTER_OTLP_PROTOCOL'])?.trim() || PROTOCOL
  const known = Object.hasOwn(PROTOCOLS, asked) ? asked : PROTOCOL
  if (known !== asked)
    log.warn(
      { protocol: asked },
      `${what === 'trace' ? 'traces' : 'metrics'} cannot be sent by that protocol, and go by ${PROTOCOL}`,
    )
  // As the SDK finds it, wherever packages lie.
  const near = createRequire(createRequire(import.meta.url).resolve('@opentelemetry/sdk-node'))
  const exporters = near(`@opentelemetry/exporter-${what}-otlp-${PROTOCOLS[known]}`) as Record<
    string,
    new () => Exporter
  >
  return new exporters[EXPORTERS[what]]!()
}

/** Milliseconds between two lines about what could not be sent. */
const QUIET = 60_000

/** Tells of metrics that could not be sent, which the SDK tells nobody but its own log. */
export function sayFailures({ api }: Sdk, log: TelemetryOptions['log']): void {
  let said = Number.NEGATIVE_INFINITY
  const say = (message: string): void => {
    const now = performance.now()
    if (now - said < QUIET) return
    said = now
    log.warn({ reason: message.slice(0, 500) }, 'metrics could not be sent')
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

/** @param time in milliseconds since 1970, with fractions */
export function hrTime(time: number): Api.HrTime {
  return [Math.floor(time / 1000), Math.floor((time % 1000) * 1_000_000)]
}
