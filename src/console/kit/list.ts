import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useSearchParams } from "wouter";
import { get, type ListAnswer, type Query, withQuery } from "../api";

export interface ListOptions {
	/** Names of the query that the person chooses; they stand in the page's address, so that it can be passed on. */
	readonly filters?: readonly string[];
	/** What is always asked for. */
	readonly fixed?: Query;
	/** Asked again so often, for what changes by itself. */
	readonly everyMs?: number | ((rows: readonly unknown[]) => number | false);
	readonly limit?: number;
	readonly isEnabled?: boolean;
}

export interface List<Row> {
	/** Undefined until the first answer. */
	readonly rows: readonly Row[] | undefined;
	readonly error: unknown;
	readonly isPending: boolean;
	/** What was asked, below /api/v1. */
	readonly path: string;
	readonly filter: (name: string) => string;
	readonly setFilter: (name: string, value: string) => void;
	/** Takes all filters away; undefined where none is set. */
	readonly clear: (() => void) | undefined;
	/** Undefined where there is none. */
	readonly next: (() => void) | undefined;
	readonly previous: (() => void) | undefined;
	readonly retry: () => void;
}

/** One page of a list of the API, by the server's cursors: what it costs does not grow with the list. */
export function useList<Row>(
	path: string,
	{ filters = [], fixed = {}, everyMs, limit = 25, isEnabled = true }: ListOptions = {},
): List<Row> {
	const [search, setSearch] = useSearchParams();
	const chosen = Object.fromEntries(
		[...filters, "after", "before"].map((name) => [name, search.get(name) || undefined]),
	);
	const asked = withQuery(path, { limit, ...fixed, ...chosen });
	const query = useQuery({
		queryKey: [asked],
		queryFn: () => get<ListAnswer<Row>>(asked),
		placeholderData: keepPreviousData,
		enabled: isEnabled,
		refetchInterval: ({ state }) =>
			typeof everyMs === "function" ? everyMs(state.data?.data ?? []) : (everyMs ?? false),
	});
	const move = (name: "after" | "before", cursor: string | null | undefined) =>
		cursor
			? () =>
					setSearch((current) => {
						current.delete("after");
						current.delete("before");
						current.set(name, cursor);
						return current;
					})
			: undefined;
	return {
		rows: query.data?.data,
		error: query.error,
		isPending: query.isPending,
		path: asked,
		filter: (name) => search.get(name) ?? "",
		setFilter: (name, value) =>
			setSearch(
				(current) => {
					current.delete("after");
					current.delete("before");
					if (value === "") current.delete(name);
					else current.set(name, value);
					return current;
				},
				{ replace: true },
			),
		clear: filters.some((name) => search.get(name))
			? () =>
					setSearch((current) => {
						for (const name of [...filters, "after", "before"]) current.delete(name);
						return current;
					})
			: undefined,
		next: move("after", query.data?.pagination.next),
		previous: move("before", query.data?.pagination.prev),
		retry: () => void query.refetch(),
	};
}

/** One thing of the API, below /api/v1; undefined asks for nothing. */
export const useOne = <Data>(path: string | undefined, everyMs?: (found: Data | undefined) => number | false) =>
	useQuery({
		queryKey: [path],
		queryFn: async () => (await get<{ data: Data }>(path ?? "")).data,
		enabled: path !== undefined,
		refetchInterval: ({ state }) => everyMs?.(state.data) ?? false,
	});
