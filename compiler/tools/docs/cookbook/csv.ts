/** Recipes about CSV files. */
import { files, recipe, text, trial } from '../guides/guide.ts'

export const csvExport = recipe('csv-export', {
  name: 'Export rows as CSV',
  summary: 'Offer a table as a file that spreadsheet programs open, for administrators only.',
  words: 'csv export download spreadsheet excel file report data rows table',
  blocks: [
    text(
      'A page named `….csv.liquid` answers with the type of CSV and without a layout. `to_csv` quotes what needs it. It also writes an apostrophe before cells that a spreadsheet program would run as a formula, because visitors have typed them.',
    ),
    files({
      'app/graphql/wines/all.graphql': `query all {
  wines: records(per_page: 10000, filter: { table: { value: "wine" } }, sort: [{ id: { order: ASC } }]) {
    results {
      id
      name: property(name: "name")
      country: property(name: "country")
      price: property_int(name: "price")
    }
  }
}
`,
      'app/views/pages/export/wines.csv.liquid': `---
authorization_policies: [is_admin]
response_headers: '{ "Content-Disposition": "attachment; filename=wines.csv" }'
---
{%- liquid
  graphql found = 'wines/all'
  assign rows = [["id", "name", "country", "price"]]
  for wine in found.wines.results
    assign rows << [wine.id, wine.name, wine.country, wine.price]
  endfor
  assign csv = rows | to_csv
  print csv
-%}
`,
    }),
    text('For whole tables, use `ingot data export`.'),
    ...trial('Open `/export/wines.csv` as an administrator. Everybody else gets 404.'),
  ],
})

export const csvImport = recipe('csv-import', {
  name: 'Import rows from CSV',
  summary: 'Check the rows of a pasted CSV text, name the lines that are wrong, and store all rows or none.',
  words: 'csv import upload spreadsheet excel paste bulk rows validate lines data',
  blocks: [
    text(
      'Each line is checked before anything is written, and one mutation writes all rows, so a mistake in the last line leaves nothing behind. The text comes from a `textarea`: people paste it from their spreadsheet program.',
    ),
    files({
      'app/graphql/wines/import.graphql': `mutation import($records: [RecordsCreateInputType!]!) {
  wines: records_create_rc(records: $records) {
    id
  }
}
`,
      'app/lib/wines/import.liquid': `{% doc %}
  Imports wines. Returns the number of rows, and what is wrong.
  @param {string} csv - name, country and price, with a line of titles
{% enddoc %}
{% liquid
  assign wrong = []
  assign records = []
  assign rows = []
  try
    assign rows = csv | parse_csv: convert_to_hash: true
  catch
    assign wrong << 'This is not CSV.'
  endtry
  if rows.size > 500
    assign wrong << 'These are more than 500 rows.'
    assign rows = []
  endif
  assign line = 1
  for row in rows
    assign line = line | plus: 1
    assign is_price = row.price | append: '' | matches: '\\A[0-9]{1,6}\\z'
    if row.name == blank
      assign wrong << "Line {{ line }} has no name."
    elsif is_price
      assign price = row.price | plus: 0
      assign properties = { "name": row.name, "country": row.country, "price": price }
      assign records << { "table": "wine", "properties": properties }
    else
      assign wrong << "Line {{ line }} has no price."
    endif
  endfor
  if wrong == empty and records == empty
    assign wrong << 'There are no rows.'
  endif
  if wrong == empty
    graphql made = 'wines/import', records: records
    if made.errors
      assign wrong << 'The rows could not be stored.'
    endif
  endif
  return { "count": records.size, "wrong": wrong }
%}
`,
      'app/views/pages/wines/import.liquid': `---
slug: wines/import
authorization_policies: [is_admin]
---
{% render 'wines/import_form' %}
`,
      'app/views/pages/wines/imported.liquid': `---
slug: wines/import
method: post
authorization_policies: [is_admin]
---
{% liquid
  assign csv = context.params.csv | append: ''
  function result = 'wines/import', csv: csv
%}
{% if result.wrong == empty %}
  <p>{{ result.count }} wines are new.</p>
{% else %}
  {% response_status 422 %}
  {% for sentence in result.wrong %}<li>{{ sentence }}</li>{% endfor %}
  {% render 'wines/import_form', csv: csv %}
{% endif %}
`,
      'app/views/partials/wines/import_form.liquid': `{% doc %}
  @param {string} [csv]
{% enddoc %}
<form action="/wines/import" method="post">
  <input type="hidden" name="authenticity_token" value="{{ context.authenticity_token }}">
  <label>Wines, as CSV <textarea name="csv" rows="10">{{ csv }}</textarea></label>
  <button>Import</button>
</form>
`,
    }),
    ...trial(
      'Paste `name,country,price`, a right line and a line without a price: the answer names line 3, and no wine is new.',
    ),
  ],
})
