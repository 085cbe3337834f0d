/** The part of the client library that prints metrics. Its index also loads what nobody needs here, the interface of OpenTelemetry among it. */
declare module 'prom-client/lib/registry.js' {
  class Registry {
    readonly contentType: string
    registerMetric(metric: { readonly name: string; get(): object }): void
    metrics(): Promise<string>
  }
  export = Registry
}
