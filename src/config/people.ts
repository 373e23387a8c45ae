import { type Static, Type } from "@sinclair/typebox";
import type { ApiSettings } from "../http/api-settings";
import { ConfigError, numberIn, originIn, refusalOf, wholeNumber } from "./setting";

/** Settings for the console's address, mail, and sessions. */
export const peopleSettings = Type.Object({
	TOLLGATE_PUBLIC_URL: Type.Optional(
		Type.String({
			maxLength: 255,
			description: "where people find the console, such as https://billing.example.com; needed behind a proxy",
			expects: "an address such as https://billing.example.com, without a path or a user",
		}),
	),
	TOLLGATE_SMTP_URL: Type.Optional(
		Type.String({
			pattern: "^smtps?://\\S{1,1000}$",
			description: "the mail server, such as smtps://user:password@mail.example.com; unset, no mail is sent",
			expects: "an address such as smtps://user:password@mail.example.com:465",
		}),
	),
	TOLLGATE_MAIL_FROM: Type.Optional(
		Type.String({
			pattern: "^[^\\r\\n]*@[^\\r\\n]*$",
			maxLength: 320,
			description: "the sender of mails",
			expects: "set together with TOLLGATE_SMTP_URL: an address such as Tollgate <billing@example.com>",
		}),
	),
	TOLLGATE_SESSION_HOURS: wholeNumber(1, 9999, {
		unit: "hours",
		default: "12",
		description: "how long people stay signed in",
	}),
	TOLLGATE_SESSION_IDLE_MINUTES: Type.Optional(
		wholeNumber(1, 99_999, {
			unit: "minutes",
			description: "after how many minutes without a call people are signed out; unset, not before that",
		}),
	),
});

type PeopleValues = Static<typeof peopleSettings>;

const wrong = refusalOf(peopleSettings);
const minuteMs = 60 * 1000;

export function readPeople(given: PeopleValues): Pick<ApiSettings, "publicUrl" | "mail" | "sessions"> {
	const idleMinutes = numberIn(given.TOLLGATE_SESSION_IDLE_MINUTES);
	return {
		publicUrl: readPublicUrl(given.TOLLGATE_PUBLIC_URL),
		mail: readMail(given),
		sessions: {
			lifetimeMs: Number(given.TOLLGATE_SESSION_HOURS) * 60 * minuteMs,
			idleMs: idleMinutes === undefined ? undefined : idleMinutes * minuteMs,
		},
	};
}

function readPublicUrl(text: string | undefined): string | undefined {
	if (text === undefined) return undefined;
	const origin = originIn(text);
	if (origin === undefined) throw wrong("TOLLGATE_PUBLIC_URL");
	return origin;
}

/** The mail server, the sender, and the address of links: a mail needs all of them. */
function readMail(given: PeopleValues): ApiSettings["mail"] {
	const { TOLLGATE_SMTP_URL: url, TOLLGATE_MAIL_FROM: from } = given;
	if (url === undefined && from === undefined) return undefined;
	if (url === undefined || !URL.canParse(url)) throw wrong("TOLLGATE_SMTP_URL");
	if (from === undefined) throw wrong("TOLLGATE_MAIL_FROM");
	if (given.TOLLGATE_PUBLIC_URL === undefined)
		throw new ConfigError("TOLLGATE_PUBLIC_URL must be set where mail is sent: links in mails lead there.");
	return { url, from };
}
