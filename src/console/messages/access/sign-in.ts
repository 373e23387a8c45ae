import { texts } from "../shared/words";

export const t = texts({
	title: ["Sign in", "Anmelden"],
	action: ["Sign in", "Anmelden"],
	code: ["Code from your app", "Code aus deiner App"],
	recovery: ["Recovery code", "Wiederherstellungscode"],
	useRecovery: ["Use a recovery code", "Wiederherstellungscode verwenden"],
	useApp: ["Use the app’s code", "Code der App verwenden"],
	signInBy: ["Sign in with {name}", "Mit {name} anmelden"],
	first: [
		"No account yet? The server operator creates the first one:",
		"Noch kein Konto? Der Serverbetreiber legt das erste an:",
	],
});
