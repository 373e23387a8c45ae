import { isEmail } from "../access/rules.emails";
import { invalid } from "./rules.refusals";
import type { ScimPatchBody, ScimUserBody } from "./schema";

/** The stored fields of a user. */
export interface UserFields {
	readonly userName: string;
	readonly externalId: string | null;
	readonly displayName: string | null;
	readonly givenName: string | null;
	readonly familyName: string | null;
	/** Lower case. */
	readonly email: string;
	readonly isActive: boolean;
}

const truth = (value: boolean | string): boolean =>
	value === true || (typeof value === "string" && /^true$/i.test(value));

/** Returns the primary address, otherwise the first one, otherwise the user name if it is an address. */
function emailOf({ emails, userName }: Pick<ScimUserBody, "emails" | "userName">): string {
	const given = (emails ?? []).filter(({ value }) => value !== undefined && value !== "");
	const chosen = given.find(({ primary }) => primary !== undefined && truth(primary)) ?? given[0];
	const email = chosen?.value ?? userName;
	if (!isEmail(email)) throw invalid("invalidValue", "A user has an e-mail address: in 'emails', or as 'userName'.");
	return email.toLowerCase();
}

/** Returns the fields of a whole user, for creation and replacement. */
export const fieldsOf = (body: ScimUserBody): UserFields => ({
	userName: body.userName,
	externalId: body.externalId || null,
	displayName: body.displayName || body.name?.formatted || null,
	givenName: body.name?.givenName || null,
	familyName: body.name?.familyName || null,
	email: emailOf(body),
	isActive: body.active === undefined || truth(body.active),
});

type Change = Partial<UserFields>;

/** Returns the change of one attribute; undefined removes it. */
type Setter = (value: unknown) => Change;

const text = (name: string, value: unknown, lengthMax = 255): string => {
	if (typeof value !== "string" || value === "" || value.length > lengthMax)
		throw invalid("invalidValue", `'${name}' is a text of 1 to ${lengthMax} characters.`);
	return value;
};
const optional = (name: string, value: unknown): string | null =>
	value === undefined || value === null || value === "" ? null : text(name, value);
const address = (value: unknown): string => {
	const email = text("emails", value, 320);
	if (!isEmail(email)) throw invalid("invalidValue", "'emails' holds what is no e-mail address.");
	return email.toLowerCase();
};

const setters: Readonly<Record<string, Setter>> = {
	active: (value) => {
		if (typeof value !== "boolean" && !(typeof value === "string" && /^(true|false)$/i.test(value)))
			throw invalid("invalidValue", "'active' is true or false.");
		return { isActive: truth(value) };
	},
	username: (value) => ({ userName: text("userName", value, 320) }),
	externalid: (value) => ({ externalId: optional("externalId", value) }),
	displayname: (value) => ({ displayName: optional("displayName", value) }),
	"name.formatted": (value) => ({ displayName: optional("name.formatted", value) }),
	"name.givenname": (value) => ({ givenName: optional("name.givenName", value) }),
	"name.familyname": (value) => ({ familyName: optional("name.familyName", value) }),
	name: (value) => (isObject(value) ? merged(value, "name.") : { givenName: null, familyName: null }),
	emails: (value) => {
		const all = Array.isArray(value) ? value : [value];
		const first =
			all.find((one) => isObject(one) && one.primary !== undefined && truth(one.primary as boolean)) ?? all[0];
		return { email: address(isObject(first) ? first.value : first) };
	},
	"emails.value": (value) => ({ email: address(value) }),
};

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
	typeof value === "object" && value !== null && !Array.isArray(value);

const merged = (values: Readonly<Record<string, unknown>>, before = ""): Change =>
	Object.assign({}, ...Object.entries(values).map(([key, value]) => changeAt(`${before}${key}`, value)));

/** `emails[type eq "work"].value` means `emails.value`, because one address is stored. Other attributes are ignored. */
function changeAt(path: string, value: unknown): Change {
	if (!/^[\w:.$-]+(\[[^\]]*\])?(\.[\w$-]+)?$/.test(path))
		throw invalid("invalidPath", "A path names an attribute, such as active or name.givenName.");
	const attribute = path
		.toLowerCase()
		.replace(/^urn:ietf:params:scim:schemas:core:2\.0:user:/, "")
		.replace(/\[[^\]]*\]/, "");
	return Object.hasOwn(setters, attribute) ? (setters[attribute]?.(value) ?? {}) : {};
}

/** Returns the user after a PATCH (RFC 7644, section 3.5.2). */
export function patched(user: UserFields, { Operations }: ScimPatchBody): UserFields {
	let changed = user;
	for (const { op, path, value } of Operations) {
		const removes = op.toLowerCase() === "remove";
		if (path === undefined) {
			if (removes) throw invalid("noTarget", "What is removed is named by 'path'.");
			if (!isObject(value)) throw invalid("invalidValue", "Without a 'path', 'value' holds attributes.");
			changed = { ...changed, ...merged(value) };
			continue;
		}
		if (removes && /^(active|userName|emails)/i.test(path))
			throw invalid("mutability", `'${path.slice(0, 100)}' cannot be removed; replace it.`);
		changed = { ...changed, ...changeAt(path, removes ? undefined : value) };
	}
	return changed;
}
