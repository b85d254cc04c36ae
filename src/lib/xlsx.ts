import { Readable } from 'node:stream'
import { ZipFile } from 'yazl'
import { type Cell, escapeFormula, Moment, type Table } from './spreadsheet.ts'
import { day } from './durations.ts'

/**
 * Writes a table as a workbook with one sheet (ECMA-376, SpreadsheetML). Numbers and times keep their types. The header
 * row is bold, frozen and has filters. Text that a spreadsheet would evaluate as a formula gets an apostrophe before it.
 * @param sheet the name of the sheet
 * @returns the bytes of the file. They are made while they are read, with one batch of rows in memory.
 */
export function xlsxOf(table: Table, sheet: string): Readable {
  const zip = new ZipFile()
  const write = (text: string, path: string) => zip.addBuffer(Buffer.from(declaration + text), path)
  write(contentTypes, '[Content_Types].xml')
  write(relationships([['officeDocument', 'xl/workbook.xml']]), '_rels/.rels')
  write(workbook(sheetName(sheet)), 'xl/workbook.xml')
  const workbookRelationships: Relationship[] = [
    ['worksheet', 'worksheets/sheet1.xml'],
    ['styles', 'styles.xml'],
  ]
  write(relationships(workbookRelationships), 'xl/_rels/workbook.xml.rels')
  write(styles, 'xl/styles.xml')
  const rows = Readable.from(sheetOf(table), { objectMode: false, highWaterMark: 64 * 1024 })
  zip.addReadStream(rows, 'xl/worksheets/sheet1.xml')
  zip.end()
  const bytes = zip.outputStream as Readable
  // An error of the rows fails the stream of the file. If the reader closes that stream, the rows are closed too.
  rows.on('error', (error) => bytes.destroy(error))
  bytes.on('close', () => rows.destroy())
  return bytes
}

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const packages = 'http://schemas.openxmlformats.org/package/2006'
const spreadsheetPart = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

const contentTypes = `<Types xmlns="${packages}/content-types">
<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
<Default Extension="xml" ContentType="application/xml"/>
<Override PartName="/xl/workbook.xml" ContentType="${spreadsheetPart}.sheet.main+xml"/>
<Override PartName="/xl/worksheets/sheet1.xml" ContentType="${spreadsheetPart}.worksheet+xml"/>
<Override PartName="/xl/styles.xml" ContentType="${spreadsheetPart}.styles+xml"/>
</Types>`

type Relationship = [type: string, target: string]

const relationships = (all: Relationship[]) =>
  `<Relationships xmlns="${packages}/relationships">${all
    .map(
      ([type, target], index) =>
        `<Relationship Id="rId${index + 1}" Type="${office}/${type}" Target="${target}"/>`,
    )
    .join('')}</Relationships>`

const workbook = (sheet: string) =>
  `<workbook xmlns="${main}" xmlns:r="${office}"><sheets><sheet name="${escapeXml(sheet)}" sheetId="1" r:id="rId1"/></sheets></workbook>`

/** The index of each cell format in `cellXfs` below. */
const formats = { plain: 0, heading: 1, moment: 2 } as const

const styles = `<styleSheet xmlns="${main}">
<numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/></numFmts>
<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts>
<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>
<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>
<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>
<cellXfs count="3"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>
<xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/>
<xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/></cellXfs>
<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`

async function* sheetOf({ columns, rows }: Table): AsyncGenerator<string> {
  yield `${declaration}<worksheet xmlns="${main}"><sheetViews><sheetView tabSelected="1" workbookViewId="0">
<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>
<cols><col min="1" max="${columns.length}" width="20" customWidth="1"/></cols><sheetData>
${rowOf(columns, 1, formats.heading)}`
  let row = 1
  for await (const batch of rows) yield batch.map((cells) => rowOf(cells, ++row, formats.plain)).join('')
  yield `</sheetData><autoFilter ref="${letter(0)}1:${letter(columns.length - 1)}${row}"/></worksheet>`
}

function rowOf(cells: readonly Cell[], row: number, format: number): string {
  return `<row r="${row}">${cells.map((cell, column) => cellOf(cell, `${letter(column)}${row}`, format)).join('')}</row>`
}

function cellOf(cell: Cell, reference: string, format: number): string {
  if (cell === undefined) return ''
  if (typeof cell === 'number') return `<c r="${reference}" s="${format}"><v>${cell}</v></c>`
  if (cell instanceof Moment)
    return `<c r="${reference}" s="${formats.moment}"><v>${serial(cell.time)}</v></c>`
  const text = escapeXml(escapeFormula(cell))
  return `<c r="${reference}" s="${format}" t="inlineStr"><is><t xml:space="preserve">${text}</t></is></c>`
}

/** The number of days from day 0 of spreadsheets to 1970 (18.17.4.1). */
const daysBefore1970 = 25_569

const serial = (time: number): number => time / day + daysBefore1970

/** Returns the letter of a column, from 0 to 25. */
const letter = (column: number): string => String.fromCharCode('A'.charCodeAt(0) + column)

/** Returns a valid name of a sheet: at most 31 characters, without those that spreadsheets refuse. */
function sheetName(name: string): string {
  const allowed = name
    .replaceAll(/[\\/?*[\]:\p{Cc}]/gu, ' ')
    .trim()
    .replaceAll(/^'+|'+$/g, '')
  return allowed.slice(0, 31).toWellFormed() || 'Sheet'
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Escapes text for XML 1.0. Characters that XML does not allow are written as `_xHHHH_` (22.9.2.19, ST_Xstring). */
function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_')
    .replaceAll(/[^\P{Cc}\t\n]|[\uFFFE\uFFFF]/gu, (character) => {
      return `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`
    })
    .replaceAll(/[&<>"]/g, (character) => entities[character] ?? character)
}
