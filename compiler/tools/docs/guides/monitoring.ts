/** The guide to logs, health checks, metrics and traces. */
import { guide, list, page, part, shell, text } from './guide.ts'

export const monitoring = guide('monitoring', {
  name: 'Monitoring',
  summary: 'See what a site does: logs, health checks, metrics and traces.',
  words: 'monitor log logs logging error errors health metrics prometheus trace opentelemetry alert debug',
  blocks: [
    part('Logs', 'log error debug follow'),
    page(
      {
        'app/views/pages/logged.liquid': `{% assign order = { "id": 7 } %}
{% log order, type: 'shop', env: 'production' %}
<p>Logged.</p>
`,
      },
      '/logged',
      '<p>Logged.</p>',
    ),
    text(
      '`log` writes to the log. So does every error, with its template, line and the partials that led to it. Entries are lines of JSON on standard output and rows that are kept for `INGOT_LOG_DAYS` (30). `ingot logs` reads the rows:',
    ),
    shell('npx ingot logs --follow', "npx ingot logs --type error --since 2h --grep 'timed? out' --json"),
    text(
      '`--grep` takes a regular expression. `--follow --notify` shows a desktop notification for entries of the type `error`, if the desktop supports it (`npm install node-notifier`). Each request is a log line with the address of the client (behind trusted proxies), trace, user, build and template. Slow queries and pages get separate lines, with the templates that led to them.',
    ),
    part('Health checks', 'up ready load balancer liveness readiness'),
    text(
      '`GET /_ingot/up` answers `up` while a process lives. `/_ingot/ready` answers 200 if requests may be sent. It answers 503 with the reason as JSON while the database is unreachable, the server stops, or `ingot dev` has no build yet. Both bypass host names, limits, queues, logs, sessions and caches. A page of the site at the same address is not reached, and the server reports that at its start.',
    ),
    part('Metrics', 'prometheus grafana alert'),
    text(
      'Metrics in Prometheus format are one page for all processes: requests by template, statements by query, jobs, the queue, pools, caches, memory and event loops. They are served on a separate port, which `ingot worker` has too, or behind a token. [When to alert](production/watching.html).',
    ),
    part('Traces', 'opentelemetry otlp span jaeger'),
    text(
      "Traces and the same metrics are sent to the receiver in `OTEL_EXPORTER_OTLP_ENDPOINT` by OpenTelemetry's SDK (`npm install @opentelemetry/sdk-node@0.223`). The SDK's variables for receivers, protocols, resources and intervals apply. The supervising process sends for all others, which do not load the SDK. A request through a named proxy continues the trace of its caller; any other request starts a new one. Jobs and requests to other servers continue it. In production a tenth of the traces is sampled, at most 20 a second in each process, unless a named proxy or `OTEL_TRACES_SAMPLER` decides otherwise (`parentbased_always_on` samples all). In development all traces are sampled: [Traces](production/traces.html).",
    ),
    part('Settings', 'environment variables monitoring'),
    list(
      '`INGOT_UP_PATH`, `INGOT_READY_PATH`: other addresses for the two health checks.',
      '`INGOT_DRAIN`: seconds in which a stopping server still answers and reports that it is not ready (0). Set it to the time that the load balancer needs to notice.',
      '`INGOT_METRICS_PORT`: port for the metrics, at `/metrics`, with both health checks; it listens on `HOST`.',
      '`INGOT_METRICS_TOKEN`: serves the metrics on the own port of the server, at `INGOT_METRICS_PATH` (`/_ingot/metrics`), for requests with `Authorization: Bearer …`; the other port then needs it, too.',
      '`OTEL_EXPORTER_OTLP_ENDPOINT`, `OTEL_EXPORTER_OTLP_TRACES_ENDPOINT`, `OTEL_EXPORTER_OTLP_METRICS_ENDPOINT`: receiver of traces and metrics: `http://collector:4318`.',
      '`OTEL_METRICS_EXPORTER`: `none` sends no metrics. `OTEL_TRACES_EXPORTER`: `none` sends no traces. `OTEL_SDK_DISABLED`: `true` sends neither.',
      '`INGOT_SLOW_QUERY`, `INGOT_SLOW_PAGE`: milliseconds from which a query and a page are logged as slow, 1000 and 2000; 0 for never.',
      '`INGOT_SLOW_PARTIAL`: milliseconds from which a partial that waits has its own span in a trace, 10; 0 for never.',
    ),
  ],
})
