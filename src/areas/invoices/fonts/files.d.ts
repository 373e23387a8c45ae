/** A font that is embedded in the executable; the import is the path to read it from. */
declare module "*.ttf" {
	const path: string;
	export default path;
}
