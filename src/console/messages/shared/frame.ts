import { inLanguage } from "../language";

export const t = inLanguage({
	main: ["Main", "Hauptmenü"],
	skip: ["Skip to content", "Zum Inhalt"],
	menu: ["Menu", "Menü"],
	environment: ["Environment", "Umgebung"],
	noEnvironment: [
		"You have no access to an environment. Ask an owner of the account.",
		"Du hast noch keinen Zugang zu einer Umgebung. Wende dich an einen Inhaber des Kontos.",
	],
	language: ["Language", "Sprache"],
	appearance: ["Appearance", "Darstellung"],
	light: ["Light", "Hell"],
	dark: ["Dark", "Dunkel"],
	system: ["System setting", "Systemeinstellung"],
	signOut: ["Sign out", "Abmelden"],
	signedInAs: ["Signed in as {email}", "Angemeldet als {email}"],
	documentation: ["API documentation", "API-Dokumentation"],
	yourSignIn: ["Your sign-in", "Deine Anmeldung"],
});
