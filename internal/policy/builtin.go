package policy

// zonesCompiled is the compact form of packs/zones.yaml.
var zonesCompiled string
