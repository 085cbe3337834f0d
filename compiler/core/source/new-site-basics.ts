/** Files that every site of `ingot init` has. npm leaves out files named `.gitignore`, so its text is here. */

export const GITIGNORE = `# Built from the sources, and the database on this machine.
.ingot/
.ingot-data/

# Written by \`ingot build --pack\`, \`ingot backup --to\` and \`ingot docs --out\`.
/*.tgz
/backups/
/reference/
`

/**
 * Returns the text of `AGENTS.md`: how to work on the site, for programs that write code.
 * @param query name of a query of the site, as an example
 * @param about a sentence or more about what the site has; empty for none
 */
export function agentsFile(query: string, about = ''): string {
  return `# Working on this site

A site written in Liquid, compiled and served by Ingot. Everything below is run in this folder.
${about === '' ? '' : `\n${about}\n`}
## Commands

- \`npx ingot check\` reports errors with file, line and a hint. A change is complete when it reports nothing. \`--format json\` is for programs,
  \`--fix\` applies the safe fixes, \`npx ingot explain CODE\` shows a wrong and a right example.
- \`npx ingot test\` runs the tests, each in a transaction that is rolled back. It exits with 1 if a test fails.
- \`npx ingot dev\` builds, serves on http://localhost:3000, and rebuilds on save. It shows mails at /_ingot/outbox.
- \`npx ingot user create EMAIL --role admin\` creates an administrator; the password comes from standard input.
- \`npx ingot generate crud book title pages:integer\` creates a table with its queries, forms, pages and a test. It also creates: table, page, form, accounts, api, module, migration.
  Types of fields: string, text, integer, float, boolean, date, datetime, upload, references:TABLE.
- \`npx ingot exec FILE\` runs Liquid or GraphQL on the data of the site. \`npx ingot explain ${query}\` shows the SQL of a query, its plan
  and its indexes. Run \`npx ingot build\` first.

## Look it up

- Guides: \`npx ingot docs --out reference\` writes them with the reference, as Markdown. Start with \`reference/llms.txt\`. Read the guide before
  you add such a part, in \`reference/guides\`: pages.md, tables.md, graphql.md, forms.md, accounts.md, files.md, mails.md, jobs.md,
  translations.md, api.md, caching.md, tests.md, deploying.md.
- The schema of this site: tables are in \`app/schema\`, properties of users in \`app/user.yml\`. \`npx ingot routes --json\` lists the routes,
  \`npx ingot openapi\` the forms that programs may send. Every query and mutation is in \`reference/production/graphql.md\`.
- \`npx ingot mcp\` is a server for the Model Context Protocol. \`describe\` lists tables, partials, queries and forms with their types,
  \`look_up\` the language, \`validate_change\` checks files before you write them. It also renders pages, and reads the log and traces.

## Folders

| content | folder |
|---|---|
| pages; the path is the URL unless \`slug\` is set | \`app/views/pages\` |
| partials (\`render\`), logic (\`function\`), layouts | \`app/views/partials\`, \`app/lib\`, \`app/views/layouts\` |
| tables, queries | \`app/schema\`, \`app/graphql\` |
| forms: fields, permissions and validations | \`app/forms\`, \`app/authorization_policies\` |
| mails | \`app/emails\` |
| translations | \`app/translations\` |
| styles, pictures | \`app/assets\` |
| tests in Liquid (\`…_test.liquid\`), lists of requests (\`…_test.yml\`) | \`app/lib/test\` |
| initial data | \`seed\` |

## Rules

- The \`{% doc %}\` block of a partial lists its parameters. Pass values as arguments; \`render\` and \`function\` cannot read variables of the caller.
- Each query has a name and a file. Do not run queries in a loop: load all rows at once, or select related records in the same query.
- Visible texts are translations: \`{{ 'cart.total' | t: total: total }}\`. Output is escaped.
- The form decides who may write: with \`resource_owner\` or a policy. Values of fields that are not configured are ignored.
- Do not edit files in \`.ingot\` and \`.ingot-data\`.
`
}
