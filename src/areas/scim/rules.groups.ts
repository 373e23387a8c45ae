import { Value } from "@sinclair/typebox/value";
import { invalid } from "./rules.refusals";
import { groupMembersMax, MemberRefs, type ScimPatchBody } from "./schema";

export interface GroupFields {
	readonly displayName: string;
	readonly externalId: string | null;
	/** Ids of users. */
	readonly members: ReadonlySet<string>;
}

const idsIn = (value: unknown): string[] => {
	const all = Array.isArray(value) ? value : [value];
	if (!Value.Check(MemberRefs, all))
		throw invalid(
			"invalidValue",
			`'members' is a list of at most ${groupMembersMax} objects with the 'value' of a user.`,
		);
	return all.map((one) => one.value);
};

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
	typeof value === "object" && value !== null && !Array.isArray(value);

const textOf = (name: string, value: unknown): string => {
	if (typeof value !== "string" || value === "" || value.length > 255)
		throw invalid("invalidValue", `'${name}' is a text of 1 to 255 characters.`);
	return value;
};

/** Returns the group after a PATCH (RFC 7644, section 3.5.2). */
export function patchedGroup(group: GroupFields, { Operations }: ScimPatchBody): GroupFields {
	let changed = group;
	for (const { op, path, value } of Operations) {
		const verb = op.toLowerCase() as "add" | "replace" | "remove";
		if (path !== undefined) changed = changedAt(changed, verb, path, value);
		else if (verb === "remove") throw invalid("noTarget", "What is removed is named by 'path'.");
		else if (isObject(value))
			for (const [key, one] of Object.entries(value)) changed = changedAt(changed, verb, key, one);
		else throw invalid("invalidValue", "Without a 'path', 'value' holds attributes.");
	}
	if (changed.members.size > groupMembersMax)
		throw invalid("tooMany", `A group has at most ${groupMembersMax} members; make several.`);
	return changed;
}

function changedAt(group: GroupFields, verb: "add" | "replace" | "remove", path: string, value: unknown): GroupFields {
	const one = /^members\[\s*value\s+eq\s+"([^"]+)"\s*\]$/i.exec(path)?.[1];
	if (one !== undefined) {
		if (verb !== "remove") throw invalid("invalidPath", "One member is removed by this path; add to 'members'.");
		return { ...group, members: without(group.members, [one]) };
	}
	switch (path.toLowerCase().replace(/^urn:ietf:params:scim:schemas:core:2\.0:group:/, "")) {
		case "members":
			if (verb === "add") return { ...group, members: new Set([...group.members, ...idsIn(value)]) };
			if (verb === "replace") return { ...group, members: new Set(idsIn(value ?? [])) };
			return { ...group, members: value === undefined ? new Set() : without(group.members, idsIn(value)) };
		case "displayname":
			if (verb === "remove") throw invalid("mutability", "'displayName' cannot be removed; replace it.");
			return { ...group, displayName: textOf("displayName", value) };
		case "externalid":
			return { ...group, externalId: verb === "remove" || !value ? null : textOf("externalId", value) };
		default:
			if (!/^[\w:.$-]+(\[[^\]]*\])?(\.[\w$-]+)?$/.test(path))
				throw invalid("invalidPath", "A path names an attribute, such as members or displayName.");
			// Attributes that Tollgate does not store are ignored.
			return group;
	}
}

const without = (members: ReadonlySet<string>, ids: readonly string[]): Set<string> => members.difference(new Set(ids));
