import { Fragment, type ReactNode, useState } from "react";
import { Route, Switch } from "wouter";
import type { Scope } from "../../areas/access/rules.actors";
import { pathTo } from "../api";
import { may } from "../session";
import { CopyAsCurl } from "./copy";
import { DetailDialog, DialogButton, type Opening } from "./dialog";
import { Choice, Filters, Search } from "./filters";
import type { Option } from "./forms/fields";
import { type List, type ListOptions, useList } from "./list";
import { Card, type CardProps, Page } from "./page";
import { ListTable, type ListTableProps } from "./table";

interface Filter {
	/** The query parameter. */
	readonly name: string;
	readonly label: string;
	/** Without options the person types a text. */
	readonly options?: readonly Option[];
}

interface ListProps<Row> extends Omit<ListTableProps<Row>, "label">, Omit<ListOptions, "filters"> {
	/** The list, below /api/v1. */
	readonly path: string;
	readonly filters?: readonly Filter[];
	/** Chooses or sorts the rows of a page. */
	readonly only?: (rows: readonly Row[]) => readonly Row[];
	/** Opens the details of a row in a drawer. */
	readonly details?: {
		readonly title: (row: Row) => string;
		readonly show: (row: Row, close: () => void) => ReactNode;
		readonly kind?: "dialog" | "drawer";
	};
}

const useListOf = <Row,>({ path, filters = [], ...options }: ListProps<Row>) =>
	useList<Row>(path, { ...options, filters: filters.map(({ name }) => name) });

interface ListViewProps<Row> extends ListProps<Row> {
	readonly list: List<Row>;
	readonly label: string;
	/** Stands at the end of the filters. */
	readonly moreFilters?: ReactNode;
}

/** The filters, the rows and the details of a list. */
function ListView<Row>({ list, filters = [], details, only, moreFilters, ...table }: ListViewProps<Row>) {
	const [chosen, choose] = useState<Row>();
	const close = () => choose(undefined);
	const shown = only && list.rows ? { ...list, rows: only(list.rows) } : list;
	return (
		<>
			{(filters.length > 0 || moreFilters) && (
				<Filters>
					{filters.map(({ options, ...filter }) =>
						options ? (
							<Choice key={filter.name} list={list} {...filter} options={options} />
						) : (
							<Search key={filter.name} list={list} {...filter} />
						),
					)}
					{moreFilters}
				</Filters>
			)}
			<ListTable<Row> onOpen={details && ((row) => choose(() => row))} {...table} list={shown} />
			{details && (
				<DetailDialog item={chosen} kind={details.kind} title={details.title} onClose={close}>
					{(row) => details.show(row, close)}
				</DetailDialog>
			)}
		</>
	);
}

export interface ListCardProps<Row> extends ListProps<Row>, Omit<CardProps, "children" | "isFlush" | "title"> {
	readonly title?: string;
	/** The name of the table, where the card has no title. */
	readonly label?: string;
	readonly hasCurl?: boolean;
	readonly moreFilters?: ReactNode;
	/** Hides the card while the list is empty. */
	readonly isHiddenEmpty?: boolean;
}

/** A list of the API in a card. */
export function ListCard<Row>({
	title,
	label = title ?? "",
	text,
	actions,
	hasCurl,
	isHiddenEmpty,
	...props
}: ListCardProps<Row>) {
	const list = useListOf<Row>(props);
	if (isHiddenEmpty && !list.rows?.length) return null;
	const buttons = (hasCurl || actions) && (
		<>
			{hasCurl && <CopyAsCurl path={list.path} />}
			{actions}
		</>
	);
	return (
		<Card isFlush title={title} text={text} actions={buttons}>
			<ListView {...props} list={list} label={label} />
		</Card>
	);
}

interface ListScreenProps<Row> extends Omit<ListProps<Row>, "empty"> {
	readonly texts: Readonly<Record<"title" | "text" | "emptyTitle" | "emptyText", string>>;
	/** The button that adds to the list, for people with the scope. */
	readonly add?: { readonly label: string; readonly scope: Scope; readonly dialog: (opening: Opening) => ReactNode };
	/** Stands below the list. */
	readonly children?: ReactNode;
}

/** A screen that is a list of the API. Rows lead to their pages by their IDs. */
export function ListScreen<Row>({ texts, add, children, ...props }: ListScreenProps<Row>) {
	const list = useListOf<Row>(props);
	const button = add && may(add.scope) && <DialogButton isMain {...add} />;
	const href = props.details ? undefined : (row: Row) => pathTo(props.path, (row as { readonly id: string }).id);
	const empty = { title: texts.emptyTitle, text: texts.emptyText };
	return (
		<Page title={texts.title} text={texts.text} curl={list.path} actions={button}>
			<Card isFlush>
				<ListView href={href} {...props} list={list} label={texts.title} empty={empty} />
			</Card>
			{children}
		</Page>
	);
}

interface ListAndPagesProps {
	/** The path of the list. The page of a row is below it, by the row's ID. */
	readonly path: string;
	readonly list: ReactNode;
	readonly page: (id: string, part: string) => ReactNode;
}

/** A list, and a page for each row. */
export const ListAndPages = ({ path, list, page }: ListAndPagesProps) => (
	<Switch>
		<Route path={path}>{list}</Route>
		<Route path={`${path}/:id/:part?`}>
			{({ id = "", part = "" }) => <Fragment key={id}>{page(decodeURIComponent(id), part)}</Fragment>}
		</Route>
	</Switch>
);
