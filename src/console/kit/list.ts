import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useSearchParams } from "wouter";
import { get, type ListAnswer, type Query, withQuery } from "../api";

export interface ListOptions {
	/** Query parameters that the person chooses. They are part of the page's address. */
	readonly filters?: readonly string[];
	/** Query parameters of every request. */
	readonly fixed?: Query;
	/** Reads the list again at this interval. */
	readonly everyMs?: number | ((rows: readonly unknown[]) => number | false);
	/** Null for lists that take no limit. */
	readonly limit?: number | null;
	/** Shows the first page only, and leaves the cursors in the address to another list. */
	readonly isFirstPage?: boolean;
	readonly isEnabled?: boolean;
}

export interface List<Row> {
	/** Undefined until the first answer. */
	readonly rows: readonly Row[] | undefined;
	readonly error: unknown;
	/** The request, below /api/v1. */
	readonly path: string;
	readonly filter: (name: string) => string;
	readonly setFilter: (name: string, value: string) => void;
	/** Removes all filters; undefined where none is set. */
	readonly clear: (() => void) | undefined;
	readonly next: (() => void) | undefined;
	readonly previous: (() => void) | undefined;
	readonly retry: () => void;
}

const cursors = ["after", "before"];

/** One page of a list of the API. Its cost does not grow with the list. */
export function useList<Row>(
	path: string,
	{ filters = [], fixed = {}, everyMs, limit = 25, isFirstPage = false, isEnabled = true }: ListOptions = {},
): List<Row> {
	const [search, setSearch] = useSearchParams();
	const names = isFirstPage ? filters : [...filters, ...cursors];
	const chosen = Object.fromEntries(names.map((name) => [name, search.get(name) || undefined]));
	const request = withQuery(path, { limit: limit ?? undefined, ...fixed, ...chosen });
	const query = useQuery({
		queryKey: [request],
		queryFn: () => get<ListAnswer<Row>>(request),
		placeholderData: keepPreviousData,
		enabled: isEnabled,
		refetchInterval: ({ state }) =>
			typeof everyMs === "function" ? everyMs(state.data?.data ?? []) : (everyMs ?? false),
	});
	/** Changes parameters of the address; a list always starts again at its first page. */
	const change = (values: Readonly<Record<string, string>>, isReplaced = false) =>
		setSearch(
			(current) => {
				for (const name of cursors) current.delete(name);
				for (const [name, value] of Object.entries(values)) {
					if (value === "") current.delete(name);
					else current.set(name, value);
				}
				return current;
			},
			{ replace: isReplaced },
		);
	const move = (name: "after" | "before", cursor: string | null | undefined) =>
		cursor && !isFirstPage ? () => change({ [name]: cursor }) : undefined;
	return {
		rows: query.data?.data,
		error: query.error,
		path: request,
		filter: (name) => search.get(name) ?? "",
		setFilter: (name, value) => change({ [name]: value }, true),
		clear: filters.some((name) => search.get(name))
			? () => change(Object.fromEntries(filters.map((name) => [name, ""])))
			: undefined,
		next: move("after", query.data?.pagination?.next),
		previous: move("before", query.data?.pagination?.prev),
		retry: () => void query.refetch(),
	};
}

/** The query of one thing of the API, below /api/v1. The cache has whole answers, because lists read the same paths. */
export const queryOf = <Data>(path: string) => ({
	queryKey: [path],
	queryFn: () => get<{ data: Data }>(path),
	select: ({ data }: { data: Data }) => data,
});

/** Reads one thing of the API. Without a path it reads nothing. */
export const useOne = <Data>(path: string | undefined, everyMs?: (found: Data | undefined) => number | false) =>
	useQuery({
		...queryOf<Data>(path ?? ""),
		enabled: path !== undefined,
		refetchInterval: ({ state }) => everyMs?.(state.data?.data) ?? false,
	});
