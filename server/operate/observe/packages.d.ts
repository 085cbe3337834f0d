/** The part of prom-client that prints metrics. Its index also loads unneeded code, such as OpenTelemetry's API. */
declare module 'prom-client/lib/registry.js' {
  class Registry {
    readonly contentType: string
    registerMetric(metric: { readonly name: string; get(): object }): void
    metrics(): Promise<string>
  }
  export = Registry
}
