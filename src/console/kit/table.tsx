import type { ReactNode } from "react";
import { Link } from "wouter";
import { words } from "../messages/shared/words";
import { Icon } from "./icons";
import type { List } from "./list";
import { Empty, type EmptyProps, Skeleton } from "./page";
import { Problem } from "./problem";
import { Ago, Status } from "./values";

export interface Column<Row> {
	readonly head: string;
	readonly cell: (row: Row) => ReactNode;
	/** Right-aligned. */
	readonly isFigure?: boolean;
	/** Hidden on a phone. */
	readonly isWide?: boolean;
}

export const idColumn: Column<{ id: string }> = {
	head: words.id,
	isWide: true,
	cell: ({ id }) => <code className="quiet">{id}</code>,
};
export const statusColumn: Column<{ status: string }> = {
	head: words.status,
	cell: ({ status }) => <Status of={status} />,
};
export const createdColumn: Column<{ createdAt: string }> = {
	head: words.createdAt,
	isWide: true,
	cell: ({ createdAt }) => <Ago at={createdAt} />,
};

export interface TableProps<Row> {
	/** The name of the table for screen readers. */
	readonly label: string;
	readonly columns: readonly Column<Row>[];
	readonly rowKey?: ((row: Row) => string) | undefined;
	/** The page of a row. The first cell is the link, and the whole row is clickable. */
	readonly href?: ((row: Row) => string) | undefined;
	/** Opens a row on this page instead. */
	readonly onOpen?: ((row: Row) => void) | undefined;
}

const idOf = (row: unknown): string => (row as { readonly id: string }).id;

export const Table = <Row,>(props: TableProps<Row> & { rows: readonly Row[] }) => {
	const { label, columns, rowKey = idOf, href, onOpen, rows } = props;
	return (
		// biome-ignore lint/a11y/noNoninteractiveTabindex: keyboards must reach a section that scrolls sideways.
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
};

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

/** The table of a list, and the notice shown while it is empty. */
export interface ListTableProps<Row> extends TableProps<Row> {
	readonly empty?: EmptyProps;
}

/** A page of a list with its pager, or a skeleton, an error or the notice that it is empty. */
export function ListTable<Row>({ list, empty, ...table }: ListTableProps<Row> & { readonly list: List<Row> }) {
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
	if (rows.length === 0 && !previous) return <Empty {...(empty ?? { title: words.none })} />;
	return (
		<>
			<Table {...table} rows={rows} />
			<Pager list={list} />
		</>
	);
}

/** The buttons to other pages; nothing where the list is one page. */
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
