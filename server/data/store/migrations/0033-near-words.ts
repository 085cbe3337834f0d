/** Search for words with one typing error: a wrong, missing or extra letter, or two swapped neighbors. */
import { raw } from '../../../../runtime/data/sql/sql.ts'

export const sql = raw`
-- In a word of three letters with an error, no initial trigram may be left, so all short words are searched.
create index document_words_short on ingot.document_words (length(word)) where length(word) <= 4;

-- Whether two words differ by one typing error.
create function ingot.is_one_slip(a text, b text) returns boolean language plpgsql immutable strict parallel safe as $$
declare
  n int := 1;
begin
  if abs(length(a) - length(b)) > 1 then return false; end if;
  while n <= length(a) and substr(a, n, 1) = substr(b, n, 1) loop n := n + 1; end loop;
  if length(a) < length(b) then return substr(a, n) = substr(b, n + 1); end if;
  if length(a) > length(b) then return substr(a, n + 1) = substr(b, n); end if;
  return substr(a, n + 1) = substr(b, n + 1)
    or (substr(a, n, 1) = substr(b, n + 1, 1) and substr(a, n + 1, 1) = substr(b, n, 1) and substr(a, n + 2) = substr(b, n + 2));
end
$$;

-- The words that are similar to a word. Those with one typing error come first, for words of at least three letters.
create function ingot.words_alike(wanted text) returns text[] language plpgsql stable as $$
declare
  own text[] := ingot.grams(wanted);
  size int := cardinality(own);
  rare text[];
  left_over text[];
begin
  -- A similar word has at least 4 of 10 of these trigrams, so it has one of the rarest of them. The beginning is omitted first, because
  -- most
  -- words share it.
  rare := array(select g from unnest(own) g order by g like ' %', g limit size - ceil(0.4 * size)::int + 1);
  -- A typing error changes at most four of them, so one of any five is left.
  left_over := array(select g from unnest(own) g order by g like ' %', g limit 5);
  return array(
    select word from (
      select word collate "C" as word, false as slip, common / (total + size - common) as rank from (
        select distinct w.word, (select count(*) from unnest(w.grams) g where g = any(own))::real as common, cardinality(w.grams) as total
        from ingot.document_words w
        where w.grams && rare and cardinality(w.grams) between 0.4 * size and size / 0.4
      ) near where common / (total + size - common) >= 0.4
      union all
      select w.word collate "C", true, 1 from ingot.document_words w
      where length(wanted) >= 3 and w.grams && left_over and length(w.word) between length(wanted) - 1 and length(wanted) + 1
        and ingot.is_one_slip(w.word, wanted)
      union all
      select w.word collate "C", true, 1 from ingot.document_words w
      where length(wanted) = 3 and length(w.word) <= 4 and ingot.is_one_slip(w.word, wanted)
    ) each
    group by word order by bool_or(slip) desc, max(rank) desc, word limit 1000);
end
$$;

create or replace function ingot.document_query(keyword text, match text, any_word boolean) returns tsquery language plpgsql stable as $$
declare
  wanted text;
  inner_grams text[];
  found text[];
  parts text[] := '{}';
begin
  foreach wanted in array (tsvector_to_array(to_tsvector('simple', keyword)))[1:32] loop
    found := '{}';
    if match in ('CONTAINS', 'ENDS_WITH') then
      inner_grams := ingot.grams_within(wanted, match = 'ENDS_WITH');
      -- A part of one or two letters has no trigram, so all words are searched.
      if cardinality(inner_grams) > 0 then
        found := array(
          select distinct word collate "C" from ingot.document_words
          where grams @> inner_grams and case match when 'CONTAINS' then position(wanted in word) > 0 else right(word, length(wanted)) = wanted end
          limit 100000);
      else
        found := array(
          select distinct word collate "C" from ingot.document_words
          where case match when 'CONTAINS' then position(wanted in word) > 0 else right(word, length(wanted)) = wanted end
          limit 100000);
      end if;
      found := array(select w from unnest(found) w order by length(w), w limit 1000);
    elsif match = 'FUZZY' then
      found := ingot.words_alike(wanted);
    end if;
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
