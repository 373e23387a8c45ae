import type { Static } from "@sinclair/typebox";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { MeView } from "../areas/access/schema";
import { actIn, request } from "./api";

export type Me = Static<typeof MeView>;
export type EnvironmentOfMe = Me["memberships"][number]["environments"][number];

const path = "/console/session";
const key = ["session"];
const stored = "tollgate.environment";

let current: EnvironmentOfMe | undefined;
let isOwner = false;

/** The data is null if nobody is signed in. */
export const useMe = () =>
	useQuery({
		queryKey: key,
		queryFn: async () => (await request<{ data: Me | null }>("GET", path)).data,
		staleTime: 60_000,
	});

/** If the account has a second factor, the response names it and the person is not signed in yet. */
export function useSignIn() {
	const client = useQueryClient();
	return useMutation({
		mutationFn: async (body: object) => (await request<{ data: { secondFactor?: string } }>("POST", path, body)).data,
		onSuccess: async ({ secondFactor }) => {
			if (secondFactor === undefined) await client.resetQueries();
		},
	});
}

export function useSignOut() {
	const client = useQueryClient();
	return useMutation({
		mutationFn: () => request("DELETE", path),
		onSuccess: () => {
			localStorage.removeItem(stored);
			client.clear();
			location.assign("/console");
		},
	});
}

export const environmentsOf = (me: Me): EnvironmentOfMe[] => me.memberships.flatMap((one) => one.environments);

/** The environment chosen last, or the first one. */
export function currentEnvironment(me: Me): EnvironmentOfMe | undefined {
	const environments = environmentsOf(me);
	const kept = localStorage.getItem(stored);
	current = environments.find(({ id }) => id === kept) ?? environments[0];
	actIn(current?.id);
	isOwner = me.memberships.some((one) => one.role === "OWNER" && one.environments.some(({ id }) => id === current?.id));
	return current;
}

export const currentEnvironmentId = (): string => current?.id ?? "";

/** Whether the person's role has the scope in this environment, such as CATALOG:WRITE. Screens hide actions that are not permitted. */
export const may = (scope: string): boolean =>
	[scope, scope.replace(/:READ$/, ":WRITE")].some((one) => current?.scopes.includes(one));

/** Whether the person owns the account of this environment. */
export const mayAsOwner = (): boolean => isOwner;

/** Stores the choice and loads the page again, because all data belongs to one environment. */
export function chooseEnvironment(id: string): void {
	localStorage.setItem(stored, id);
	location.assign("/console");
}
