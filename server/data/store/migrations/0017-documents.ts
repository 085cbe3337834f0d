/** Search indexes: documents of any shape, their words, and the keywords that find them. */
import { raw } from '../../../../runtime/data/sql/sql.ts'

export const sql = raw`
create table ingot.documents (
  search_index text not null,
  id text not null,
  document jsonb not null check (jsonb_typeof(document) = 'object'),
  -- The words of all texts in the document, filled by a trigger.
  words tsvector not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (search_index, id)
);
create index documents_words on ingot.documents using gin (words);
create index documents_values on ingot.documents using gin (document jsonb_path_ops);

-- All words that any document has contained. Parts of words and misspelled words are looked up here; the found words are then searched by
-- their index.
create table ingot.document_words (
  word text primary key,
  grams text[] not null
);
create index document_words_grams on ingot.document_words using gin (grams);

-- The trigrams of a word, with two spaces before it and one after it, as in the extension pg_trgm, which not every database offers.
create function ingot.grams(word text) returns text[] language sql immutable strict parallel safe as $$
  select coalesce(array_agg(distinct substr('  ' || word || ' ', n, 3)), '{}') from generate_series(1, length(word) + 1) n
$$;

create function ingot.document_written() returns trigger language plpgsql as $$
begin
  new.words := jsonb_to_tsvector('simple', new.document, '["string"]');
  -- Sorted, so that two writers of the same words do not wait for each other. Longer words are not searched by their parts.
  insert into ingot.document_words (word, grams)
    select w, ingot.grams(w) from unnest(tsvector_to_array(new.words)) w
    where length(w) <= 100 and not exists (select from ingot.document_words known where known.word = w)
    order by w
    on conflict do nothing;
  return new;
end
$$;
create trigger written before insert or update of document on ingot.documents
  for each row execute function ingot.document_written();

-- The query for a keyword. For a search by parts of words or by similar words, the nearest thousand words count. All words of the keyword
-- must occur, or any of them. A keyword without words matches all documents.
create function ingot.document_query(keyword text, match text, any_word boolean) returns tsquery language plpgsql stable as $$
declare
  wanted text;
  own text[];
  found text[];
  parts text[] := '{}';
begin
  foreach wanted in array (tsvector_to_array(to_tsvector('simple', keyword)))[1:32] loop
    own := ingot.grams(wanted);
    found := case match
      when 'CONTAINS' then array(
        select word from ingot.document_words where position(wanted in word) > 0 order by length(word), word limit 1000)
      when 'ENDS_WITH' then array(
        select word from ingot.document_words where right(word, length(wanted)) = wanted order by length(word), word limit 1000)
      when 'FUZZY' then array(
        select word from (
          select w.word, (select count(*) from unnest(w.grams) g where g = any(own))::real as common, cardinality(w.grams) as size
          from ingot.document_words w
          where w.grams && own and length(w.word) between length(wanted) - 3 and length(wanted) + 3
        ) near
        where common / (size + cardinality(own) - common) >= 0.4
        order by common / (size + cardinality(own) - common) desc, word limit 1000)
      else '{}' end;
    parts := parts || (
      select '(' || string_agg(
        '''' || replace(replace(w, '\\', '\\\\'), '''', '''''') || '''' || case match when 'STARTS_WITH' then ':*' else '' end,
        ' | ') || ')'
      from unnest(case when cardinality(found) > 0 then found else array[wanted] end) w);
  end loop;
  if cardinality(parts) = 0 then return '!'' '''::tsquery; end if;
  return array_to_string(parts, case when any_word then ' | ' else ' & ' end)::tsquery;
end
$$;
`
