import { Readable } from 'node:stream'
import { CsvError, parse } from 'csv-parse'
import type { Problems } from './problems.ts'

/**
 * A line of a table, with its number and its cells by the names of their columns. Empty cells are missing.
 */
export interface CsvLine<Column extends string> {
  line: number
  cells: Partial<Record<Column, string>>
}

/** The columns of a table. */
export interface CsvColumns<Column extends string> {
  /** Returns the column of a heading, or undefined if the column is not read. */
  nameOf(heading: string): Column | undefined
  required: readonly Column[]
}

/** A line of a roster has a few hundred bytes. A longer line is the result of a missing quotation mark. */
const maxLineBytes = 64 * 1024

/**
 * Yields the lines of a table in UTF-8 (RFC 4180), with or without a byte order mark. The first line decides
 * whether commas, semicolons or tabs separate the cells. Errors are added to `problems`. Reading stops at an
 * error after which the rest makes no sense.
 */
export async function* readCsv<Column extends string>(
  file: string,
  bytes: AsyncIterable<Buffer>,
  columns: CsvColumns<Column>,
  problems: Problems,
): AsyncGenerator<CsvLine<Column>> {
  const { first, rest } = await readFirstLine(bytes)
  const parser = parse({
    bom: true,
    delimiter: separatorOf(first),
    record_delimiter: ['\r\n', '\n', '\r'],
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    skip_records_with_empty_values: true,
    trim: true,
    max_record_size: maxLineBytes,
  })
  const source = Readable.from(rest)
  source.on('error', (error) => parser.destroy(error))
  source.pipe(parser)
  let names: (Column | undefined)[] | undefined
  try {
    for await (const { record, info } of parser as AsyncIterable<{
      record: string[]
      info: { lines: number }
    }>) {
      const line = info.lines
      if (!names) {
        names = headingsOf(file, record, columns, problems)
        if (!names) return
        continue
      }
      const cells = cellsOf({ file, line }, record, names, problems)
      if (cells) yield { line, cells }
    }
  } catch (error) {
    const location = locationOfError(error)
    if (!location) throw error
    problems.add({ file, line: location.line }, undefined, location.problem)
  } finally {
    source.destroy()
  }
  if (!names) problems.addOverall(`${file} is empty`)
}

/** Returns the first line, and all bytes from the start. */
async function readFirstLine(
  bytes: AsyncIterable<Buffer>,
): Promise<{ first: string; rest: AsyncIterable<Buffer> }> {
  const chunks = bytes[Symbol.asyncIterator]()
  const chunksOfLine: Buffer[] = []
  let first = ''
  while (!/[\r\n]/.test(first) && first.length < maxLineBytes) {
    const { value, done } = await chunks.next()
    if (done) break
    chunksOfLine.push(value)
    first += value.toString('latin1')
  }
  async function* rest() {
    yield* chunksOfLine.splice(0)
    yield* { [Symbol.asyncIterator]: () => chunks }
  }
  return { first: first.split(/[\r\n]/, 1)[0] ?? '', rest: rest() }
}

function separatorOf(line: string): string {
  const unquoted = line.replaceAll(/"[^"]*"/g, '')
  const countOf = (separator: string) => unquoted.split(separator).length
  return [',', ';', '\t'].reduce((best, next) => (countOf(next) > countOf(best) ? next : best))
}

function headingsOf<Column extends string>(
  file: string,
  headings: readonly string[],
  { nameOf, required }: CsvColumns<Column>,
  problems: Problems,
): (Column | undefined)[] | undefined {
  const names = headings.map(nameOf)
  const missing = required.filter((name) => !names.includes(name))
  const twice = headings.filter((_heading, index) => names[index] && names.indexOf(names[index]) < index)
  for (const name of missing) problems.add({ file, line: 1 }, name, 'the column is missing')
  for (const heading of twice) problems.add({ file, line: 1 }, heading, 'the column occurs twice')
  return missing.length + twice.length > 0 ? undefined : names
}

function cellsOf<Column extends string>(
  location: { file: string; line: number },
  record: readonly string[],
  names: readonly (Column | undefined)[],
  problems: Problems,
): Partial<Record<Column, string>> | undefined {
  if (record.length !== names.length) {
    problems.add(location, undefined, `has ${record.length} cells, but the first line has ${names.length}`)
    return undefined
  }
  const cells: Partial<Record<Column, string>> = {}
  for (const [index, name] of names.entries()) {
    const cell = record[index]
    if (!name || !cell) continue
    if (cell.includes('\u0000') || cell.includes('\ufffd'))
      problems.add(location, name, 'is not in UTF-8; save the table as “CSV UTF-8”')
    else cells[name] = cell
  }
  return cells
}

function locationOfError(error: unknown): { line: number; problem: string } | undefined {
  if (!(error instanceof CsvError)) return undefined
  const line = Number(error.lines ?? 1)
  if (error.code === 'CSV_QUOTE_NOT_CLOSED')
    return { line, problem: 'a quotation mark is opened and not closed' }
  if (error.code === 'CSV_MAX_RECORD_SIZE')
    return { line, problem: 'is too long; a quotation mark may not be closed' }
  return { line, problem: `is not CSV: ${error.message}` }
}
