import { toIso } from "../../kernel/clock";
import type { Work } from "../../kernel/work";
import { scimPath } from "../identity-providers/rules";
import type { IdentityRow } from "../identity-providers/table";
import type { Listed } from "./operations.users";
import { leavesMembersOut } from "./rules.filter";
import { groupSchema, listSchema, type ScimGroup, type ScimUser, userSchema } from "./schema";
import { groupsOfIdentities, membersOfGroups } from "./store";
import type { ScimGroupRow } from "./table";

const metaOf = (resourceType: "User" | "Group", row: Pick<ScimGroupRow, "id" | "createdAt" | "updatedAt">) => ({
	resourceType,
	created: toIso(row.createdAt),
	lastModified: toIso(row.updatedAt),
	location: `${scimPath}/${resourceType}s/${row.id}`,
});

const orLeftOut = <Key extends string>(key: Key, value: string | null) =>
	(value === null ? {} : { [key]: value }) as Partial<Record<Key, string>>;

export function viewUsers(work: Work, rows: readonly IdentityRow[]): ScimUser[] {
	const groups = groupsOfIdentities(
		work,
		rows.map(({ id }) => id),
	);
	return rows.map((row) => ({
		schemas: [userSchema],
		id: row.id,
		...orLeftOut("externalId", row.externalId),
		userName: row.userName,
		...orLeftOut("displayName", row.displayName),
		name: {
			...orLeftOut("givenName", row.givenName),
			...orLeftOut("familyName", row.familyName),
			...orLeftOut("formatted", row.displayName),
		},
		emails: [{ value: row.email, type: "work", primary: true }],
		active: row.isActive,
		groups: (groups.get(row.id) ?? []).map(({ id, displayName }) => ({
			value: id,
			display: displayName,
			$ref: `${scimPath}/Groups/${id}`,
		})),
		meta: metaOf("User", row),
	}));
}

/** Omits the members if `excludedAttributes` names them, because there may be thousands. */
export function viewGroups(work: Work, rows: readonly ScimGroupRow[], excludedAttributes?: string): ScimGroup[] {
	const isWhole = !leavesMembersOut(excludedAttributes);
	const members = membersOfGroups(work, isWhole ? rows.map(({ id }) => id) : []);
	return rows.map((row) => ({
		schemas: [groupSchema],
		id: row.id,
		...orLeftOut("externalId", row.externalId),
		displayName: row.displayName,
		...(isWhole && {
			members: (members.get(row.id) ?? []).map(({ id, userName }) => ({
				value: id,
				display: userName,
				$ref: `${scimPath}/Users/${id}`,
			})),
		}),
		meta: metaOf("Group", row),
	}));
}

export const viewList = <Row, View>({ total, window }: Listed<Row>, Resources: readonly View[]) => ({
	schemas: [listSchema],
	totalResults: total,
	startIndex: window.startIndex,
	itemsPerPage: Resources.length,
	Resources,
});
