// Written by `npm run bench -- --write`: what the benchmarks have measured last.
import type { BenchFigures } from './figures.ts'

export const FIGURES: readonly BenchFigures[] = [
  {
    "name": "check",
    "says": "`ingot check` as a whole process, from its start to its end, of one page and of a generated site of 1,000 templates: for the first time, with nothing changed since the last one, and with one template changed, by itself and beside a compiler that has the site in memory, as that of `ingot dev` and an editor's. The product is measured as it is installed, without its sources.",
    "day": "2026-11-27",
    "machine": {
      "processor": "AMD EPYC",
      "cores": 2,
      "node": "20.20.2",
      "load": 0.7
    },
    "tables": [
      {
        "heads": [
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
            "0.06 s",
            ""
          ],
          [
            "1000 templates",
            "3.20 s",
            ""
          ],
          [
            "1000 templates, nothing changed",
            "0.16 s",
            ""
          ],
          [
            "1000 templates, one changed",
            "3.02 s",
            "0.25 s"
          ],
          [
            "1000 templates, one changed, beside a running compiler",
            "0.21 s",
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
    "name": "data",
    "says": "Data: queries against the statements that a careful author would write over the same rows, and against the reference implementation with a resolver a field; the same page of a table of 10,000 and of 1,000,000 rows; over HTTP, a listing page against a handler written by hand and one with liquidjs, and an answer of `/api/graph` against a handler written by hand and PostGraphile; and how long a start takes. Needs no database prepared.",
    "day": "2026-11-27",
    "machine": {
      "processor": "AMD EPYC",
      "cores": 2,
      "node": "20.20.2",
      "load": 4.3
    },
    "tables": [
      {
        "heads": [
          "against",
          "time",
          "ours",
          "ours is",
          "goal"
        ],
        "rows": [
          [
            "by hand",
            "1.44 ms",
            "0.84 ms",
            "1.61x",
            "0.8x"
          ],
          [
            "the reference, a resolver a field",
            "6.08 ms",
            "0.84 ms",
            "6.30x",
            "5x"
          ]
        ]
      },
      {
        "heads": [
          "against",
          "time",
          "ours",
          "ours is",
          "goal"
        ],
        "rows": [
          [
            "by hand",
            "0.65 ms",
            "0.30 ms",
            "2.04x",
            "0.8x"
          ],
          [
            "ours with 10,000 rows",
            "0.27 ms",
            "0.30 ms",
            "0.92x",
            "0.8x"
          ]
        ]
      },
      {
        "heads": [
          "against",
          "pages a second",
          "ours",
          "ours is",
          "goal"
        ],
        "rows": [
          [
            "fastify and postgres.js by hand",
            "2845",
            "2402",
            "0.93x",
            "0.95x"
          ],
          [
            "fastify, liquidjs and postgres.js",
            "1394",
            "2402",
            "1.84x",
            "-"
          ]
        ]
      },
      {
        "heads": [
          "against",
          "answers a second",
          "ours",
          "ours is",
          "goal"
        ],
        "rows": [
          [
            "node:http and postgres.js by hand",
            "2265",
            "2739",
            "1.24x",
            "0.95x"
          ],
          [
            "PostGraphile 5.1.5, over tables of its own",
            "1637",
            "2739",
            "1.70x",
            "-"
          ]
        ]
      },
      {
        "heads": [
          "data folder",
          "time",
          "goal"
        ],
        "rows": [
          [
            "empty",
            "1.74 s",
            "5 s"
          ],
          [
            "there",
            "0.58 s",
            "2 s"
          ]
        ]
      }
    ]
  },
  {
    "name": "editor",
    "says": "An editor at a large site: the language server as a process, over the demo many times and a partial that 500 pages call. How long until the open file is told of, until a completion, until all of the site is; what a keystroke costs; and the memory at the end.",
    "day": "2026-11-27",
    "machine": {
      "processor": "AMD EPYC",
      "cores": 2,
      "node": "20.20.2",
      "load": 1.3
    },
    "tables": [
      {
        "heads": [
          "what",
          "median",
          "p99",
          "at worst",
          "goal"
        ],
        "rows": [
          [
            "start to the first diagnostics of the open file",
            "690 ms",
            "690 ms",
            "690 ms",
            "1,500 ms"
          ],
          [
            "a completion right after it",
            "49 ms",
            "49 ms",
            "49 ms",
            "100 ms"
          ],
          [
            "start to all of the site",
            "5703 ms",
            "5703 ms",
            "5703 ms",
            "6,000 ms"
          ],
          [
            "a keystroke to its diagnostics, of 100",
            "5 ms",
            "41 ms",
            "55 ms",
            "50 ms"
          ],
          [
            "a change of the parameters of a partial with 500 callers",
            "15 ms",
            "60 ms",
            "60 ms",
            "50 ms"
          ],
          [
            "a completion",
            "2 ms",
            "12 ms",
            "12 ms",
            "20 ms"
          ]
        ]
      }
    ]
  },
  {
    "name": "instance",
    "says": "A server that is deployed to, with a generated site of 700 templates: how long a deploy takes until it is served, and a file that is synced; what memory the processes have after many; and whether a visitor notices. Needs no database prepared.",
    "day": "2026-11-27",
    "machine": {
      "processor": "AMD EPYC",
      "cores": 2,
      "node": "20.20.2",
      "load": 3.1
    },
    "tables": [
      {
        "heads": [
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
    "name": "pages",
    "says": "Pages without a query over HTTP, on one processor: what every request costs. Against node:http that writes the same bytes and does nothing else, or makes them by template literals. Needs no database prepared.",
    "day": "2026-11-27",
    "machine": {
      "processor": "AMD EPYC",
      "cores": 2,
      "node": "20.20.2",
      "load": 2.6
    },
    "tables": [
      {
        "heads": [
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
            "27673",
            "25292",
            "0.83x",
            "0.76x",
            "0.80x",
            "26",
            "32"
          ],
          [
            "one line",
            "53849",
            "41168",
            "0.83x",
            "0.82x",
            "0.60x",
            "18",
            "24"
          ],
          [
            "one line, always the same",
            "56650",
            "51652",
            "0.92x",
            "0.91x",
            "0.60x",
            "17",
            "19"
          ],
          [
            "20 kB for each visitor",
            "14021",
            "7484",
            "0.54x",
            "0.49x",
            "-",
            "61",
            "125"
          ],
          [
            "one line for each visitor",
            "41555",
            "14987",
            "0.36x",
            "0.34x",
            "-",
            "23",
            "65"
          ]
        ]
      }
    ]
  },
  {
    "name": "rest",
    "says": "The REST API: records that are created in a second, validated and stored, by a built site and by a handler written by hand with fastify, zod and postgres.js. Needs no database prepared.",
    "day": "2026-11-27",
    "machine": {
      "processor": "AMD EPYC",
      "cores": 2,
      "node": "20.20.2",
      "load": 1.5
    },
    "tables": [
      {
        "heads": [
          "against",
          "records a second",
          "ours",
          "ours is",
          "goal"
        ],
        "rows": [
          [
            "fastify, zod and postgres.js by hand",
            "5509",
            "4384",
            "0.85x",
            "0.90x"
          ]
        ]
      }
    ]
  },
  {
    "name": "watch",
    "says": "Saving while `ingot watch` runs, as `ingot dev` starts it: a generated site of 1,000 templates, the time from a file that is written to the line that names its module, and to the line that tells what is to be said of the site as a whole.",
    "day": "2026-11-27",
    "machine": {
      "processor": "AMD EPYC",
      "cores": 2,
      "node": "20.20.2",
      "load": 1.9
    },
    "tables": [
      {
        "heads": [
          "what",
          "median",
          "p99",
          "bar"
        ],
        "rows": [
          [
            "the first build",
            "3161 ms",
            "",
            ""
          ],
          [
            "the first check of the whole site",
            "5431 ms",
            "",
            ""
          ],
          [
            "a saved template to its module, of 120",
            "14 ms",
            "31 ms",
            "10, 30 ms"
          ],
          [
            "the same where it has a variable more, of 40",
            "15 ms",
            "25 ms",
            "10, 30 ms"
          ],
          [
            "a saved template to the whole site checked",
            "105 ms",
            "315 ms",
            ""
          ]
        ]
      }
    ]
  }
]
