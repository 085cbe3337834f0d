/** A module that runs a site's tests like the platform's module: by a page, and by a job that another page queues. */
const COMMAND = `{% liquid
  graphql found = 'modules/tests/files', path: context.params.name
  assign failed = 0
  assign contracts = '[]' | parse_json
  for test in found.admin_liquid_partials.results
    assign contract = '{ "errors": {}, "success": true, "total": 0 }' | parse_json
    include test.path, registry: test.path, contract: contract
    hash_assign contract['path'] = test.path
    assign contracts = contracts | array_add: contract
    assign failed = failed | plus: contract.errors.size
  endfor
  if format == 'log'
    log contracts, type: 'SUMMARY'
  else
    echo contracts | json
  endif
  if failed > 0
    response_status 500
  endif
%}`

/** The files of the module, by path. */
export const TESTS_MODULE: Readonly<Record<string, string>> = {
  'modules/tests/public/graphql/files.graphql': `query files($path: String) {
    admin_liquid_partials(per_page: 100, filter: { path: { ends_with: "_test", contains: $path } }, sort: [{ path: { order: ASC } }]) {
      results { path } } }`,
  'modules/tests/public/lib/commands/run.liquid': COMMAND,
  'modules/tests/public/views/pages/_tests/run.js.liquid':
    "---\nlayout: ''\n---\n{% include 'modules/tests/commands/run' %}",
  'modules/tests/public/views/pages/_tests/run_async.js.liquid': `---\nlayout: ''\n---
{% background source_name: 'tests' %}{% include 'modules/tests/commands/run', format: 'log' %}{% endbackground %}{"test_name":"x"}`,
  'modules/tests/public/lib/assertions/equal.liquid': `{% liquid
  hash_assign contract['total'] = contract['total'] | plus: 1
  if given != expected
    assign errors = contract.errors
    hash_assign errors['rows'] = 'wrong'
    hash_assign contract['success'] = false
  endif
  return contract
%}`,
}
