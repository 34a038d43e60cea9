module longline

go 1.26.0

require (
	go.yaml.in/yaml/v4 v4.0.0-rc.6 // indirect
	mvdan.cc/sh/v3 v3.14.1 // indirect
)
