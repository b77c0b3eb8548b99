module example

go 1.19

require github.com/stile/stile/sdk/go v0.1.0

replace github.com/stile/stile/sdk/go => ../../sdk/go
