import { type ReactNode, useState } from "react";
import { Route, Switch } from "wouter";
import type { Scope } from "../../areas/access/rules.actors";
import { may } from "../session";
import { Choice, type Option, Search } from "./filters";
import { type ListOptions, useList } from "./list";
import { Card, Page } from "./page";
import { type Listed, ListTable } from "./table";

interface Filter {
	/** Of the API's query. */
	readonly name: string;
	readonly label: string;
	/** Left out: something is typed. */
	readonly options?: readonly Option[];
}

interface Adding {
	/** What the button says. */
	readonly name: string;
	readonly scope: Scope;
	readonly dialog: (state: { readonly isOpen: boolean; readonly onClose: () => void }) => ReactNode;
}

export interface ListScreenProps<Row> extends Pick<ListOptions, "fixed" | "everyMs"> {
	/** Of the list, below /api/v1. */
	readonly path: string;
	/** One sentence that says what is here. */
	readonly text: string;
	readonly table: Listed<Row>;
	readonly filters?: readonly Filter[];
	readonly add?: Adding;
	/** Dialogs, and what else stands below the list. */
	readonly children?: ReactNode;
}

/** A list of the API as a screen: what it can be narrowed by, its pages, and what is added to it by whom it is allowed. */
export function ListScreen<Row>({ path, text, table, filters = [], add, children, ...options }: ListScreenProps<Row>) {
	const list = useList<Row>(path, { ...options, filters: filters.map(({ name }) => name) });
	const [isOpen, setOpen] = useState(false);
	const button = add && may(add.scope) && (
		<button type="button" className="solid" onClick={() => setOpen(true)}>
			{add.name}
		</button>
	);
	return (
		<Page title={table.label} text={text} curl={list.path} actions={button}>
			<Card isFlush>
				{filters.length > 0 && (
					<div className="filters">
						{filters.map(({ options: values, ...filter }) =>
							values ? (
								<Choice key={filter.name} list={list} {...filter} options={values} />
							) : (
								<Search key={filter.name} list={list} {...filter} />
							),
						)}
					</div>
				)}
				<ListTable {...table} empty={{ ...table.empty, action: button }} list={list} />
			</Card>
			{add?.dialog({ isOpen, onClose: () => setOpen(false) })}
			{children}
		</Page>
	);
}

interface ListAndPagesProps {
	/** Of the screen; below it stand the pages, each by an id. */
	readonly path: string;
	readonly list: ReactNode;
	readonly page: (id: string) => ReactNode;
}

/** A list, and a page for each thing in it. */
export const ListAndPages = ({ path, list, page }: ListAndPagesProps) => (
	<Switch>
		<Route path={path}>{list}</Route>
		<Route path={`${path}/:id`}>{({ id }) => page(decodeURIComponent(id ?? ""))}</Route>
	</Switch>
);
