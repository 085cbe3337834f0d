// Written by `npm run bench -- --write`: what the benchmarks have measured last.
import type { BenchFigures } from './bench-figures.ts'

export const FIGURES: readonly BenchFigures[] = [
  {
    "name": "check",
    "description": "Measures `ingot check` as a whole process, for one page and for a generated site of 1,000 templates: on the first run, with nothing changed since the last run, and with one template changed. The last case is also measured while another process, such as `ingot dev` or an editor's, has the site in memory. The installed product is measured, without its sources.",
    "day": "2026-11-27",
    "machine": {
      "processor": "AMD EPYC",
      "cores": 2,
      "node": "20.20.2",
      "load": 1.5
    },
    "tables": [
      {
        "columnTitles": [
          "`ingot check`, the whole process",
          "time",
          "goal"
        ],
        "rows": [
          [
            "one page",
            "0.18 s",
            "0.20 s"
          ],
          [
            "one page, nothing changed",
            "0.07 s",
            ""
          ],
          [
            "1000 templates",
            "3.08 s",
            ""
          ],
          [
            "1000 templates, nothing changed",
            "0.16 s",
            ""
          ],
          [
            "1000 templates, one changed",
            "3.01 s",
            "0.25 s"
          ],
          [
            "1000 templates, one changed, beside a running compiler",
            "0.19 s",
            "0.25 s"
          ],
          [
            "`node -e 0`, for comparison",
            "0.03 s",
            ""
          ]
        ]
      }
    ]
  },
  {
    "name": "compile",
    "description": "Measures `ingot check` and `ingot build` of a generated site of 1,000 templates as whole processes, with nothing cached for the site. They are compared with esbuild alone, which bundles the modules that the build has written. The installed product is measured, without its sources.",
    "day": "2026-11-28",
    "machine": {
      "processor": "AMD EPYC",
      "cores": 2,
      "node": "20.20.2",
      "load": 2.2
    },
    "tables": [
      {
        "columnTitles": [
          "one run",
          "time",
          "of esbuild alone",
          "goal"
        ],
        "rows": [
          [
            "`ingot check`",
            "3.11 s",
            "3.6x",
            "2.5x"
          ],
          [
            "`ingot build`",
            "5.33 s",
            "6.1x",
            "3x"
          ],
          [
            "esbuild alone",
            "0.86 s",
            "1.0x",
            ""
          ]
        ]
      }
    ]
  },
  {
    "name": "data",
    "description": "Measures data: queries, compared with the statements that a careful author would write over the same rows, and with the reference implementation with one resolver per field; the same page of a table of 10,000 and of 1,000,000 rows; a listing page over HTTP, compared with a hand-written handler and one with liquidjs; a response of `/api/graph`, compared with a hand-written handler and PostGraphile; and the time of a start. Needs no prepared database.",
    "day": "2026-11-27",
    "machine": {
      "processor": "AMD EPYC",
      "cores": 2,
      "node": "20.20.2",
      "load": 2.1
    },
    "tables": [
      {
        "columnTitles": [
          "against",
          "time",
          "ours",
          "ours is",
          "goal"
        ],
        "rows": [
          [
            "by hand",
            "1.19 ms",
            "0.72 ms",
            "1.65x",
            "0.8x"
          ],
          [
            "the reference, a resolver a field",
            "4.89 ms",
            "0.72 ms",
            "6.78x",
            "5x"
          ]
        ]
      },
      {
        "columnTitles": [
          "against",
          "time",
          "ours",
          "ours is",
          "goal"
        ],
        "rows": [
          [
            "by hand",
            "0.48 ms",
            "0.23 ms",
            "2.09x",
            "0.8x"
          ],
          [
            "ours with 10,000 rows",
            "0.24 ms",
            "0.23 ms",
            "0.99x",
            "0.8x"
          ]
        ]
      },
      {
        "columnTitles": [
          "against",
          "pages a second",
          "ours",
          "ours is",
          "goal"
        ],
        "rows": [
          [
            "fastify and postgres.js by hand",
            "4324",
            "4266",
            "0.98x",
            "0.95x"
          ],
          [
            "fastify, liquidjs and postgres.js",
            "2074",
            "4266",
            "2.05x",
            "-"
          ]
        ]
      },
      {
        "columnTitles": [
          "against",
          "answers a second",
          "ours",
          "ours is",
          "goal"
        ],
        "rows": [
          [
            "node:http and postgres.js by hand",
            "2749",
            "3521",
            "1.29x",
            "0.95x"
          ],
          [
            "PostGraphile 5.1.5, over tables of its own",
            "1884",
            "3521",
            "1.89x",
            "-"
          ]
        ]
      },
      {
        "columnTitles": [
          "data folder",
          "time",
          "goal"
        ],
        "rows": [
          [
            "empty",
            "1.33 s",
            "5 s"
          ],
          [
            "there",
            "0.46 s",
            "2 s"
          ]
        ]
      }
    ]
  },
  {
    "name": "editor",
    "description": "Measures an editor on a large site: the language server as a process, for many copies of the demo and a partial that 500 pages call. Measures the time until the open file is diagnosed, until a completion arrives, and until the whole site is diagnosed; the time after a keystroke; and the memory at the end.",
    "day": "2026-11-27",
    "machine": {
      "processor": "AMD EPYC",
      "cores": 2,
      "node": "20.20.2",
      "load": 3.9
    },
    "tables": [
      {
        "columnTitles": [
          "what",
          "median",
          "p99",
          "at worst",
          "goal"
        ],
        "rows": [
          [
            "start to the first diagnostics of the open file",
            "659 ms",
            "659 ms",
            "659 ms",
            "1,500 ms"
          ],
          [
            "a completion right after it",
            "31 ms",
            "31 ms",
            "31 ms",
            "100 ms"
          ],
          [
            "start to all of the site",
            "6276 ms",
            "6276 ms",
            "6276 ms",
            "6,000 ms"
          ],
          [
            "a keystroke to its diagnostics, of 100",
            "5 ms",
            "61 ms",
            "63 ms",
            "50 ms"
          ],
          [
            "a change of the parameters of a partial with 500 callers",
            "15 ms",
            "49 ms",
            "49 ms",
            "50 ms"
          ],
          [
            "a completion",
            "3 ms",
            "20 ms",
            "29 ms",
            "20 ms"
          ]
        ]
      }
    ]
  },
  {
    "name": "instance",
    "description": "Measures a server that receives deployments, with a generated site of 700 templates: the time until a deployment is served, and until a synced file is served; the memory of the processes after many deployments; and whether visitors notice them. Needs no prepared database.",
    "day": "2026-11-27",
    "machine": {
      "processor": "AMD EPYC",
      "cores": 2,
      "node": "20.20.2",
      "load": 3.1
    },
    "tables": [
      {
        "columnTitles": [
          "what",
          "median",
          "at worst",
          "bar"
        ],
        "rows": [
          [
            "first deploy, from a zip to served",
            "3868 ms",
            "3868 ms",
            "4,000 ms"
          ],
          [
            "first deploy, with its warnings",
            "4588 ms",
            "4588 ms",
            ""
          ],
          [
            "second deploy, one change",
            "464 ms",
            "464 ms",
            "1,000 ms"
          ],
          [
            "second deploy, with its warnings",
            "641 ms",
            "641 ms",
            ""
          ],
          [
            "one file to served, of 60 syncs",
            "62 ms",
            "214 ms",
            "100 ms"
          ],
          [
            "one file to the answer, of 60 other files",
            "61 ms",
            "374 ms",
            "100 ms"
          ]
        ]
      }
    ]
  },
  {
    "name": "jobs",
    "description": "Measures jobs: the time from the queue to their start on an idle server; the rate of empty jobs, compared with the queue library alone with the same settings; and how much a busy pool slows down page requests. Needs no prepared database.",
    "day": "2026-11-27",
    "machine": {
      "processor": "AMD EPYC",
      "cores": 2,
      "node": "20.20.2",
      "load": 2.8
    },
    "tables": [
      {
        "columnTitles": [
          "jobs",
          "p50",
          "p95",
          "p99"
        ],
        "rows": [
          [
            "300",
            "3.6 ms",
            "5.0 ms",
            "7.7 ms"
          ]
        ]
      },
      {
        "columnTitles": [
          "ours",
          "bare engine",
          "ratio"
        ],
        "rows": [
          [
            "2056",
            "2418",
            "0.90"
          ]
        ]
      },
      {
        "columnTitles": [
          "page",
          "requests",
          "idle p50",
          "idle p99",
          "busy p50",
          "busy p99",
          "p99, ratio"
        ],
        "rows": [
          [
            "/notes",
            "12000",
            "1.56 ms",
            "4.39 ms",
            "1.46 ms",
            "6.14 ms",
            "1.40x"
          ],
          [
            "/",
            "12000",
            "0.72 ms",
            "1.39 ms",
            "0.73 ms",
            "4.11 ms",
            "2.96x"
          ]
        ]
      }
    ]
  },
  {
    "name": "pages",
    "description": "Measures pages without a query over HTTP, on one processor: the fixed cost of every request. They are compared with node:http, which either only writes the same bytes or builds them from template literals. Needs no prepared database.",
    "day": "2026-11-27",
    "machine": {
      "processor": "AMD EPYC",
      "cores": 2,
      "node": "20.20.2",
      "load": 1.7
    },
    "tables": [
      {
        "columnTitles": [
          "page",
          "by hand a second",
          "ours",
          "ours is",
          "by processor time",
          "goal",
          "microseconds by hand",
          "ours "
        ],
        "rows": [
          [
            "20 kB",
            "36551",
            "31167",
            "0.87x",
            "0.82x",
            "0.80x",
            "20",
            "25"
          ],
          [
            "one line",
            "64516",
            "49351",
            "0.84x",
            "0.83x",
            "0.60x",
            "15",
            "20"
          ],
          [
            "one line, always the same",
            "62477",
            "54731",
            "0.90x",
            "0.90x",
            "0.60x",
            "15",
            "18"
          ],
          [
            "20 kB for each visitor",
            "17598",
            "9169",
            "0.52x",
            "0.48x",
            "-",
            "49",
            "103"
          ],
          [
            "one line for each visitor",
            "58967",
            "22144",
            "0.38x",
            "0.37x",
            "-",
            "16",
            "44"
          ]
        ]
      }
    ]
  },
  {
    "name": "processes",
    "description": "Measures how far one machine goes: visitors' pages of the demo per second with 1, 2, 4 and 8 processes, on one and on all processors, and the memory of the whole server. Needs no prepared database.",
    "day": "2026-11-30",
    "machine": {
      "processor": "AMD EPYC",
      "cores": 2,
      "node": "20.20.2",
      "load": 2.2
    },
    "tables": [
      {
        "columnTitles": [
          "processes",
          "processors",
          "pages a second",
          "p99",
          "memory without PostgreSQL"
        ],
        "rows": [
          [
            "1",
            "1",
            "1154",
            "38 ms",
            "448 MB"
          ],
          [
            "1",
            "2",
            "1128",
            "36 ms",
            "388 MB"
          ],
          [
            "2",
            "2",
            "1748",
            "28 ms",
            "578 MB"
          ],
          [
            "4",
            "2",
            "1423",
            "33 ms",
            "1063 MB"
          ],
          [
            "8",
            "2",
            "704",
            "64 ms",
            "1623 MB"
          ]
        ]
      }
    ]
  },
  {
    "name": "rest",
    "description": "Measures the REST API: the records per second that are validated and stored, by a built site and by a handler written by hand with fastify, zod and postgres.js. Needs no prepared database.",
    "day": "2026-11-28",
    "machine": {
      "processor": "AMD EPYC",
      "cores": 2,
      "node": "20.20.2",
      "load": 2.2
    },
    "tables": [
      {
        "columnTitles": [
          "against",
          "records a second",
          "ours",
          "ours is",
          "goal"
        ],
        "rows": [
          [
            "fastify, zod and postgres.js by hand",
            "4432",
            "3986",
            "0.87x",
            "0.90x"
          ]
        ]
      }
    ]
  },
  {
    "name": "rows",
    "description": "Measures how far one table goes: its size on disk, the build of its indexes, and the three most common queries, with 10,000, 1,000,000 and 10,000,000 rows, and computes them for 100,000,000; the listing page over HTTP with the most rows, compared with the fewest; and writes while a release converts a property of 1,000,000 rows. Needs no prepared database.",
    "day": "2026-11-30",
    "machine": {
      "processor": "AMD EPYC",
      "cores": 2,
      "node": "20.20.2",
      "load": 1.7
    },
    "tables": [
      {
        "columnTitles": [
          "writes, 1,000,000 rows converted meanwhile",
          "failed",
          "release",
          "idle p99",
          "busy p50",
          "busy p99",
          "p99, ratio",
          "goal",
          "not converted"
        ],
        "rows": [
          [
            "6167",
            "0",
            "61.7 s",
            "7.8 ms",
            "1.6 ms",
            "14.0 ms",
            "1.79x",
            "3.00x",
            "0"
          ]
        ]
      },
      {
        "columnTitles": [
          "rows of the table",
          "on disk",
          "index build",
          "a row by id",
          "a page of 20",
          "a page with its total"
        ],
        "rows": [
          [
            "10,000",
            "0.00 GB",
            "0.1 s",
            "0.15 ms",
            "0.19 ms",
            "0.29 ms"
          ],
          [
            "1,000,000",
            "0.24 GB",
            "2.2 s",
            "0.15 ms",
            "0.21 ms",
            "14.71 ms"
          ],
          [
            "10,000,000",
            "2.42 GB",
            "22.8 s",
            "0.16 ms",
            "0.21 ms",
            "1184.92 ms"
          ],
          [
            "100,000,000, computed",
            "24.22 GB",
            "250.7 s",
            "0.16 ms",
            "0.21 ms",
            "11849.23 ms"
          ]
        ]
      },
      {
        "columnTitles": [
          "listing pages a second, over HTTP",
          "of",
          "time, ratio",
          "goal"
        ],
        "rows": [
          [
            "3799",
            "10,000 rows",
            "",
            ""
          ],
          [
            "5065",
            "10,000,000 rows",
            "0.81x",
            "1.30x"
          ]
        ]
      }
    ]
  },
  {
    "name": "sites",
    "description": "Measures how far a site goes: `ingot check` and `ingot build` as whole processes with nothing cached, their memory with all their processes, the size of the build, and the time from `ingot serve` to the first page, for sites of 1,500, 6,000 and 24,000 templates. The installed product is measured, without its sources.",
    "day": "2026-11-30",
    "machine": {
      "processor": "AMD EPYC",
      "cores": 2,
      "node": "20.20.2",
      "load": 3.5
    },
    "tables": [
      {
        "columnTitles": [
          "templates",
          "check",
          "memory",
          "build",
          "memory",
          "packed build",
          "start to the first page"
        ],
        "rows": [
          [
            "1,500",
            "4.1 s",
            "311 MB",
            "8.5 s",
            "590 MB",
            "1.7 MB",
            "0.41 s"
          ],
          [
            "6,000",
            "14.0 s",
            "799 MB",
            "30.6 s",
            "1696 MB",
            "6.4 MB",
            "0.83 s"
          ],
          [
            "24,000",
            "51.1 s",
            "2588 MB",
            "206.8 s",
            "5783 MB",
            "25.9 MB",
            "2.11 s"
          ]
        ]
      },
      {
        "columnTitles": [
          "6000 templates, of 1500",
          "time",
          "goal",
          "memory",
          "goal"
        ],
        "rows": [
          [
            "check",
            "3.39x",
            "4.2x",
            "2.56x",
            "3.0x"
          ],
          [
            "build",
            "3.59x",
            "4.2x",
            "2.87x",
            "3.0x"
          ]
        ]
      }
    ]
  },
  {
    "name": "sockets",
    "description": "Measures WebSockets: the time from a message to its subscribers, with many sockets on one process, and on several; lost and repeated messages; and the memory of a connection.",
    "day": "2026-11-30",
    "machine": {
      "processor": "AMD EPYC",
      "cores": 2,
      "node": "20.20.2",
      "load": 8.6
    },
    "tables": [
      {
        "columnTitles": [
          "sockets on processes",
          "p50",
          "p99",
          "largest",
          "lost",
          "repeated"
        ],
        "rows": [
          [
            "1000 on 1",
            "3.0 ms",
            "11.0 ms",
            "62.8 ms",
            "0",
            "0"
          ],
          [
            "1000 on 3",
            "2.5 ms",
            "6.3 ms",
            "15.0 ms",
            "0",
            "0"
          ]
        ]
      },
      {
        "columnTitles": [
          "resident, 5,000 minus 1,000 sockets"
        ],
        "rows": [
          [
            "12.3 kB"
          ]
        ]
      }
    ]
  },
  {
    "name": "watch",
    "description": "Measures saves while `ingot watch` runs, as `ingot dev` starts it, on a generated site of 1,000 templates. Measures the time from a saved file to the line that names its module, and to the line with the diagnostics of the whole site.",
    "day": "2026-11-27",
    "machine": {
      "processor": "AMD EPYC",
      "cores": 2,
      "node": "20.20.2",
      "load": 3
    },
    "tables": [
      {
        "columnTitles": [
          "what",
          "median",
          "p99",
          "bar"
        ],
        "rows": [
          [
            "the first build",
            "2960 ms",
            "",
            ""
          ],
          [
            "the first check of the whole site",
            "5036 ms",
            "",
            ""
          ],
          [
            "a saved template to its module, of 120",
            "13 ms",
            "24 ms",
            "10, 30 ms"
          ],
          [
            "the same where it has a variable more, of 40",
            "12 ms",
            "22 ms",
            "10, 30 ms"
          ],
          [
            "a saved template to the whole site checked",
            "83 ms",
            "321 ms",
            ""
          ]
        ]
      }
    ]
  }
]
