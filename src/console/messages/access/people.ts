import { texts } from "../shared/words";

export const t = texts({
	people: ["People", "Personen"],
	text: ["The members of this account and their roles.", "Die Mitglieder dieses Kontos und ihre Rollen."],
	invite: ["Invite", "Einladen"],
	inviteTitle: ["Invite a person", "Person einladen"],
	person: ["Person", "Person"],
	since: ["Member since", "Mitglied seit"],
	none: ["No people", "Keine Personen"],
	invitations: ["Invitations", "Einladungen"],
	invitationsText: ["Invitations that are not accepted yet.", "Noch nicht angenommene Einladungen."],
	invitedBy: ["Invited by", "Eingeladen von"],
	ends: ["Expires", "Läuft ab"],
	linkTitle: ["Invitation link", "Einladungslink"],
	linkText: [
		"Send this link to the person; it is not shown again. If mail is configured, Tollgate has sent it already.",
		"Sende diesen Link an die Person; er wird nicht noch einmal angezeigt. Ist der Mailversand eingerichtet, hat Tollgate ihn bereits verschickt.",
	],
	withdraw: ["Withdraw", "Zurückziehen"],
	withdrawTitle: ["Withdraw this invitation?", "Diese Einladung zurückziehen?"],
	withdrawSays: ["The link sent to {email} stops working.", "Der Link an {email} gilt dann nicht mehr."],
	deactivate: ["Deactivate", "Deaktivieren"],
	deactivateTitle: ["Deactivate this person?", "Diese Person deaktivieren?"],
	deactivateSays: [
		"{email} is signed out everywhere and cannot sign in until you reactivate the account.",
		"{email} wird überall abgemeldet und kann sich erst nach erneuter Aktivierung wieder anmelden.",
	],
	activate: ["Activate", "Aktivieren"],
	activateTitle: ["Reactivate this person?", "Diese Person wieder aktivieren?"],
	activateSays: [
		"{email} can sign in again with the same role.",
		"{email} kann sich wieder mit derselben Rolle anmelden.",
	],
	accept: ["Accept invitation", "Einladung annehmen"],
	acceptText: [
		"Choose a password of at least 10 characters. If you already have an account here, enter its password.",
		"Wähle ein Passwort mit mindestens 10 Zeichen. Wenn du hier bereits ein Konto hast, gib dessen Passwort ein.",
	],
	accepted: ["Your account is ready. Sign in as {email}.", "Dein Konto ist bereit. Melde dich als {email} an."],
	reset: ["Choose a new password", "Neues Passwort wählen"],
	resetText: ["At least 10 characters. All your sessions end.", "Mindestens 10 Zeichen. Alle deine Sitzungen enden."],
	resetDone: [
		"The password was changed. Sign in as {email}.",
		"Das Passwort wurde geändert. Melde dich als {email} an.",
	],
	toSignIn: ["Sign in", "Anmelden"],
});
