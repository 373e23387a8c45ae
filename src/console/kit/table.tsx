import type { ReactNode } from "react";
import { Link } from "wouter";
import { words } from "../messages/shared/words";
import { Icon } from "./icons";
import type { List } from "./list";
import { Empty, type EmptyProps, Skeleton } from "./page";
import { Problem } from "./problem";

export interface Column<Row> {
	readonly head: string;
	readonly cell: (row: Row) => ReactNode;
	/** Figures stand to the right. */
	readonly isFigure?: boolean;
	/** Left out on a phone. */
	readonly isWide?: boolean;
}

export interface TableProps<Row> {
	/** What screen readers call it. */
	readonly label: string;
	readonly columns: readonly Column<Row>[];
	readonly rowKey: (row: Row) => string;
	/** Where a row leads: its first cell is the link, all of the row takes the click. */
	readonly href?: ((row: Row) => string) | undefined;
	/** In place of a way to another screen: what its click opens here. */
	readonly onOpen?: ((row: Row) => void) | undefined;
}

export const Table = <Row,>({
	label,
	columns,
	rowKey,
	href,
	onOpen,
	rows,
}: TableProps<Row> & { rows: readonly Row[] }) => (
	// biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways must be reachable by the keyboard.
	<section className="scroll" aria-label={label} tabIndex={0}>
		<table>
			<thead>
				<tr>
					{columns.map(({ head, isFigure, isWide }) => (
						<th key={head} scope="col" className={classOf(isFigure, isWide)}>
							{head}
						</th>
					))}
				</tr>
			</thead>
			<tbody>
				{rows.map((row) => (
					<tr key={rowKey(row)} className={href || onOpen ? "leads" : ""}>
						{columns.map(({ head, cell, isFigure, isWide }, at) => (
							<td key={head} className={classOf(isFigure, isWide)}>
								{at === 0 ? <Leading row={row} href={href} onOpen={onOpen} cell={cell} /> : cell(row)}
							</td>
						))}
					</tr>
				))}
			</tbody>
		</table>
	</section>
);

type LeadingProps<Row> = Pick<TableProps<Row>, "href" | "onOpen"> & Pick<Column<Row>, "cell"> & { readonly row: Row };

function Leading<Row>({ row, href, onOpen, cell }: LeadingProps<Row>) {
	if (href) return <Link href={href(row)}>{cell(row)}</Link>;
	if (!onOpen) return cell(row);
	return (
		<button type="button" className="link" onClick={() => onOpen(row)}>
			{cell(row)}
		</button>
	);
}

const classOf = (isFigure = false, isWide = false): string =>
	[isFigure && "figure", isWide && "wide"].filter(Boolean).join(" ");

/** How the rows of a list look, and what stands in its place where it is empty. */
export interface Listed<Row> extends TableProps<Row> {
	readonly empty: EmptyProps;
}

/** A list of the API: its table, its pages, what it says while it loads, when it fails and when it is empty. */
export function ListTable<Row>({ list, empty, ...table }: Listed<Row> & { readonly list: List<Row> }) {
	const { rows, error, previous, retry, clear } = list;
	if (error) return <Problem error={error} retry={retry} />;
	if (!rows) return <Skeleton lines={8} />;
	if (rows.length === 0 && clear)
		return (
			<Empty
				title={words.nothingMatches}
				action={
					<button type="button" onClick={clear}>
						{words.showAll}
					</button>
				}
			/>
		);
	if (rows.length === 0 && !previous) return <Empty {...empty} />;
	return (
		<>
			<Table {...table} rows={rows} />
			<Pager list={list} />
		</>
	);
}

/** Leads on and back; nothing where the list is one page. */
export const Pager = ({ list: { next, previous } }: { readonly list: Pick<List<unknown>, "next" | "previous"> }) =>
	(next || previous) && (
		<div className="pager">
			<button type="button" disabled={!previous} onClick={previous}>
				<Icon name="left" size={12} /> {words.previous}
			</button>
			<button type="button" disabled={!next} onClick={next}>
				{words.next} <Icon name="right" size={12} />
			</button>
		</div>
	);
