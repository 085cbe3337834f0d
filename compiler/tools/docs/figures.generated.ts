// Written by `npm run bench -- --write`: what the benchmarks have measured last.
import type { BenchFigures } from './bench-figures.ts'

export const FIGURES: readonly BenchFigures[] = [
  {
    "name": "check",
    "description": "`ingot check` as a whole process, from its start to its end, of one page and of a generated site of 1,000 templates: for the first time, with nothing changed since the last one, and with one template changed, by itself and beside a compiler that has the site in memory, as that of `ingot dev` and an editor's. The product is measured as it is installed, without its sources.",
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
    "description": "`ingot check` and `ingot build` of a generated site of 1,000 templates as whole processes, with nothing kept of the site, against esbuild alone bundling the modules that the build has written. The product is measured as it is installed, without its sources.",
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
    "description": "Data: queries against the statements that a careful author would write over the same rows, and against the reference implementation with a resolver a field; the same page of a table of 10,000 and of 1,000,000 rows; over HTTP, a listing page against a handler written by hand and one with liquidjs, and an answer of `/api/graph` against a handler written by hand and PostGraphile; and how long a start takes. Needs no database prepared.",
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
    "description": "An editor at a large site: the language server as a process, over the demo many times and a partial that 500 pages call. How long until the open file is told of, until a completion, until all of the site is; what a keystroke costs; and the memory at the end.",
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
    "description": "A server that is deployed to, with a generated site of 700 templates: how long a deploy takes until it is served, and a file that is synced; what memory the processes have after many; and whether a visitor notices. Needs no database prepared.",
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
    "description": "Jobs: from the queue to their start on an idle server; empty ones drained, against the bare engine with the same settings; and what a busy pool costs those who ask for pages. Needs no database prepared.",
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
    "description": "Pages without a query over HTTP, on one processor: what every request costs. Against node:http that writes the same bytes and does nothing else, or makes them by template literals. Needs no database prepared.",
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
    "name": "rest",
    "description": "The REST API: records that are created in a second, validated and stored, by a built site and by a handler written by hand with fastify, zod and postgres.js. Needs no database prepared.",
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
    "name": "watch",
    "description": "Saving while `ingot watch` runs, as `ingot dev` starts it: a generated site of 1,000 templates, the time from a file that is written to the line that names its module, and to the line that tells what is to be said of the site as a whole.",
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
